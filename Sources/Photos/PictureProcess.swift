import Glibc
import PictureMessages

/// A process `carousel-pictures`. It starts with the first job, and again after its end. One thread uses it.
package struct PictureProcess: ~Copyable {
  /// Why a job has no result.
  package enum Failure: Error, Equatable {
    /// The picture cannot be read: the reason.
    case unreadable(String)
    /// The picture has ended the process, which has limits of memory and of processor time.
    case crashed
    /// Something else has ended the process.
    case killed
    /// The process has exited after an earlier picture, which it could not decode.
    case exited
    /// There was no result in time, and the process was ended. The disk of the file may be slow.
    case timedOut
    /// The file is gone, too many requests wait, or the server stops.
    case cancelled
    /// libvips or the program is missing.
    case unavailable
  }

  /// Seconds of the clock for a job, of which the process may compute for 20. The rest is for a slow disk.
  static let timeLimit = 120
  /// The time that a process has to end after its socket was closed. One that a picture has taken over may stay.
  static let gracePeriod = Duration.seconds(5)
  /// The exit status of the program without libvips.
  static let unavailableStatus = 69

  private let program: String
  private var socket: Int32 = -1
  private var process: pid_t = 0

  init(program: String) {
    self.program = program
  }

  deinit {
    guard socket >= 0 else { return }
    close(socket)
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// Runs a job on open files. Returns the texts of the result.
  mutating func run(_ job: [String], on files: [Int32]) throws(Failure) -> [String] {
    if socket < 0 { try start() }
    let start = ContinuousClock.now
    let number = String(UInt64.random(in: 0...UInt64.max))
    guard PictureMessage([number] + job, files: files).send(to: socket),
      let reply = PictureMessage.receive(from: socket, takesFiles: false)
    else { throw end(isLate: .now - start > .seconds(Self.timeLimit - 1)) }
    guard reply.texts.first == number else {
      // The reply to no job: an earlier picture has taken the process over.
      kill(process, SIGKILL)
      throw end(isLate: false)
    }
    guard reply.texts.dropFirst().first == "ok" else {
      throw .unreadable(String((reply.texts.last ?? "it cannot be read").prefix(200)))
    }
    return Array(reply.texts.dropFirst(2))
  }

  private mutating func start() throws(Failure) {
    guard let (own, other) = Descriptors.pair() else { throw .cancelled }
    var limit = timeval(tv_sec: Self.timeLimit, tv_usec: 0)
    setsockopt(own, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, other, STDIN_FILENO)
    // libvips writes warnings about damaged files.
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
    defer { free(arguments[0]) }
    let error = posix_spawn(&process, program, &actions, nil, &arguments, environ)
    close(other)
    guard error == 0 else {
      close(own)
      throw .unavailable
    }
    socket = own
  }

  /// Ends the process. The next job starts another one.
  private mutating func end(isLate: Bool) -> Failure {
    close(socket)
    socket = -1
    var status: Int32 = 0
    let end = ContinuousClock.now + (isLate ? .zero : Self.gracePeriod)
    var hasStayed = false
    while !hasStayed, waitpid(process, &status, WNOHANG) == 0 {
      hasStayed = .now >= end
      usleep(1000)
    }
    if hasStayed {
      kill(process, SIGKILL)
      waitpid(process, &status, 0)
      return isLate ? .timedOut : .crashed
    }
    let signal = status & 0x7F
    if signal == 0, (status >> 8) & 0xFF == Self.unavailableStatus { return .unavailable }
    if isLate { return .timedOut }
    return status == 0 ? .exited : [SIGKILL, SIGTERM, SIGINT].contains(signal) ? .killed : .crashed
  }

  /// Why `program` reads no pictures. Nil if it does.
  package static func problem(of program: String) -> String? {
    var process = PictureProcess(program: program)
    let reply = Result { () throws(Failure) in try process.run(["probe"], on: []) }
    return switch reply {
    case .success, .failure(.unreadable): nil
    case .failure(.unavailable): "it needs the package libvips42: apt install libvips42"
    case .failure: "\(program) has ended. It needs Linux with seccomp"
    }
  }
}
