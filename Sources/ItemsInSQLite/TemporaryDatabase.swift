import Catalogue
import Foundation

/// A new database beside the place where it will be: nobody sees it until it is whole.
///
/// It is made under the name `NAME.new` and then renamed to its own. What a killed command left
/// behind there is made anew by the next one; two commands cannot make it at once. What a database that
/// is gone has left beside its name goes with it: SQLite would take its log for the new one's.
struct TemporaryDatabase: ~Copyable {
  let path: String
  /// Where the database is written.
  var temporary: String { path + ".new" }
  /// Locked as long as this lives, so that what is left behind can be told from what is being made.
  private let lock: Int32
  private var isPublished = false

  /// - Throws: `.unavailable` when the folder cannot be written, another command is at it, or something
  ///   else has that name.
  init(path: String) throws(CatalogueError) {
    self.path = path
    lock = try Self.lock(path + ".new", toMake: path)
  }

  /// The descriptor of an empty file, locked. Who has none has nothing to clean up.
  private static func lock(_ name: String, toMake path: String) throws(CatalogueError) -> Int32 {
    let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0 else { throw .unavailable("\(path) cannot be made: \(reason())") }
    do throws(CatalogueError) {
      // A command that has just ended may have given this very file its name: then it is whole.
      guard flock(lock, LOCK_EX | LOCK_NB) == 0, isFile(lock, named: name) else {
        throw .unavailable("\(path) is being made by another command")
      }
      guard isLeftBehind(lock) else {
        throw .unavailable("\(path) cannot be made: \(name) is in the way, and no database of ours")
      }
      guard ftruncate(lock, 0) == 0 else { throw .failed("\(path) cannot be made: \(reason())") }
    } catch {
      close(lock)
      throw error
    }
    return lock
  }

  /// Makes sure that a database could be made, and makes nothing.
  ///
  /// - Throws: `.unavailable` when the folder cannot be written.
  static func check(_ path: String) throws(CatalogueError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard access(folder, W_OK | X_OK) == 0 else {
      throw .unavailable("\(path) cannot be made: \(reason())")
    }
  }

  deinit {
    if !isPublished { unlink(temporary) }
    close(lock)
  }

  /// Makes what has been written durable, and gives it its name.
  ///
  /// - Throws: `.unavailable` when something of that name has come to be meanwhile, `.failed` when
  ///   it cannot be written.
  mutating func publish() throws(CatalogueError) {
    guard fsync(lock) == 0 else { throw .failed("\(path) cannot be written: \(reason())") }
    guard Self.isNothing(path) else {
      throw .unavailable("\(path) has come to be while it was made")
    }
    for log in ["-wal", "-shm", "-journal"] {
      guard unlink(path + log) == 0 || errno == ENOENT else {
        throw .unavailable("\(path) cannot be made: \(path)\(log) is in the way: \(reason())")
      }
    }
    guard rename(temporary, path) == 0 else {
      throw .unavailable("\(path) cannot be made: \(reason())")
    }
    isPublished = true
    let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Whether a file may be what a command has left behind: empty, begun, or a database of ours.
  private static func isLeftBehind(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 72)
    guard pread(descriptor, &head, head.count, 0) >= 0 else { return false }
    let isBegun = head.prefix(16).allSatisfy { $0 == 0 }
    let application = head[68...].reduce(0) { $0 << 8 | Int($1) }
    return isBegun
      || head.starts(with: "SQLite format 3\0".utf8) && application == Schema.applicationID
  }

  private static func isFile(_ descriptor: Int32, named path: String) -> Bool {
    var open = stat()
    var named = stat()
    return fstat(descriptor, &open) == 0 && stat(path, &named) == 0
      && open.st_dev == named.st_dev && open.st_ino == named.st_ino
  }

  /// Whether there is no file at `path`, or one without a byte in it.
  static func isNothing(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}

/// What the last call of the system says is wrong.
private func reason() -> String { String(cString: strerror(errno)) }
