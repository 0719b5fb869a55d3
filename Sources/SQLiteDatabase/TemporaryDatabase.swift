import Catalogue
import Foundation

/// A new database file that no reader sees until it is complete.
///
/// It is written under the name `NAME.new` and then renamed to `NAME`. A killed command leaves the
/// temporary file behind; the next command overwrites it. Two commands cannot write it at once. A log
/// that a deleted database has left beside the name is deleted: SQLite would apply it to the new file.
struct TemporaryDatabase: ~Copyable {
  let path: String
  /// Where the database is written.
  var temporary: String { path + ".new" }
  /// A locked descriptor. The lock tells a file in use from a file that was left behind.
  private let lock: Int32
  private var isPublished = false

  /// - Throws: `.unavailable` if the folder cannot be written, another command makes the same file, or
  ///   the temporary name is used by another kind of file.
  init(path: String) throws(CatalogueError) {
    self.path = path
    lock = try Self.lock(path + ".new", toMake: path)
  }

  /// The descriptor of an empty, locked file.
  private static func lock(_ name: String, toMake path: String) throws(CatalogueError) -> Int32 {
    let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0 else { throw .unavailable("\(path) cannot be made: \(reason())") }
    do throws(CatalogueError) {
      // A command that has just ended may have renamed this very file. Then it is a complete database.
      guard flock(lock, LOCK_EX | LOCK_NB) == 0, isFile(lock, named: name) else {
        throw .unavailable("\(path) is being made by another command")
      }
      guard isAbandoned(lock) else {
        throw .unavailable(
          "\(path) cannot be made: \(name) is in the way and is no carousel database")
      }
      guard ftruncate(lock, 0) == 0 else { throw .failed("\(path) cannot be made: \(reason())") }
    } catch {
      close(lock)
      throw error
    }
    return lock
  }

  /// Checks that a database could be made, and makes nothing.
  ///
  /// - Throws: `.unavailable` if the folder cannot be written.
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

  /// Makes the file durable, and renames it to its final name.
  ///
  /// - Throws: `.unavailable` if the final name has come into use, `.failed` if the file cannot be
  ///   written.
  mutating func publish() throws(CatalogueError) {
    guard fsync(lock) == 0 else { throw .failed("\(path) cannot be written: \(reason())") }
    guard Self.isMissingOrEmpty(path) else {
      throw .unavailable("\(path) was made by another command at the same time")
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

  /// Whether a file can be the remains of a killed command: empty, incomplete, or a carousel database.
  private static func isAbandoned(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 72)
    guard pread(descriptor, &head, head.count, 0) >= 0 else { return false }
    let isIncomplete = head.prefix(16).allSatisfy { $0 == 0 }
    let application = head[68...].reduce(0) { $0 << 8 | Int($1) }
    return isIncomplete
      || head.starts(with: "SQLite format 3\0".utf8) && application == Schema.applicationID
  }

  private static func isFile(_ descriptor: Int32, named path: String) -> Bool {
    var open = stat()
    var named = stat()
    return fstat(descriptor, &open) == 0 && stat(path, &named) == 0
      && open.st_dev == named.st_dev && open.st_ino == named.st_ino
  }

  /// Whether there is no file at `path`, or an empty one.
  static func isMissingOrEmpty(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}

/// The message for the error of the last system call.
private func reason() -> String { String(cString: strerror(errno)) }
