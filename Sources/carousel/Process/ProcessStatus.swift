import FoundationEssentials
import Glibc

enum ProcessStatus {
  /// The files that the server needs beside its connections: the database, listening sockets, logs.
  private static let reservedFiles = 96

  /// A connection has a socket, and the file that it sends. A shell's soft limit is often 1,024, and its hard limit far
  /// higher.
  static func raiseFileLimit(forConnections connections: Int) {
    guard var limit = limit(RLIMIT_NOFILE) else { return }
    let needed = min(rlim_t(2 * connections + reservedFiles), limit.rlim_max)
    guard limit.rlim_cur < needed else { return }
    limit.rlim_cur = needed
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  static func limit(_ resource: __rlimit_resource) -> rlimit? {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit : nil
  }

  static var memory: (size: Int, resident: Int)? {
    guard let pages = text("/proc/self/statm")?.split(separator: " ").map({ Int($0) }),
      pages.count > 1, let size = pages[0], let resident = pages[1]
    else { return nil }
    let page = sysconf(Int32(_SC_PAGESIZE))
    return (size * page, resident * page)
  }

  static var processorSeconds: Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }

  static var openFiles: Int {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    // One of them is the folder itself.
    return max(0, files.count - 1)
  }

  static func text(_ path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}

extension CommandLine {
  /// The folder of this program. The first argument has none if the shell found the program in the PATH.
  static var programFolder: URL {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: path ?? arguments[0]).deletingLastPathComponent()
  }
}
