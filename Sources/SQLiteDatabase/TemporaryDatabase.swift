import Foundation
import Items

/// A new database file that no reader sees until it is complete.
///
/// It is written as `NAME.new` and then renamed to `NAME`. Two commands cannot write it at once. The next command
/// overwrites the file of a killed command. A log beside `NAME` can have the last changes of a database that was moved,
/// and SQLite would apply it to the new file. So this gives the log another name.
struct TemporaryDatabase: ~Copyable {
  let path: String
  var temporary: String { path + ".new" }
  /// A locked descriptor. The lock tells a file in use from one that was left behind.
  private let lock: Int32
  /// Whether `deinit` removes the temporary file.
  private var isOwned = false

  /// - Throws: `.unavailable` if the folder cannot be written, another command makes the same file, or another kind of
  ///   file has the temporary name.
  init(path: String) throws(CatalogueError) {
    let path = Self.resolved(path)
    self.path = path
    lock = open(path + ".new", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0 else { throw .unavailable("\(path) cannot be made: \(errnoMessage())") }
    // A command that has just ended may have renamed this very file. Then it is a complete database.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, Self.isFile(lock, at: temporary) else {
      throw .unavailable("\(path) is being made by another command")
    }
    guard Self.isAbandoned(lock) else {
      throw .unavailable(
        "\(path) cannot be made: \(temporary) is in the way and is no carousel database")
    }
    guard ftruncate(lock, 0) == 0 else {
      throw .failed("\(path) cannot be made: \(errnoMessage())")
    }
    isOwned = true
  }

  /// Throws `.unavailable` if the folder of `path` cannot be written.
  static func check(_ path: String) throws(CatalogueError) {
    guard access(folder(of: resolved(path)), W_OK | X_OK) == 0 else {
      throw .unavailable("\(path) cannot be made: \(errnoMessage())")
    }
  }

  deinit {
    if isOwned { unlink(temporary) }
    if lock >= 0 { close(lock) }
  }

  /// Makes the file durable, and renames it.
  ///
  /// - Throws: `.unavailable` if the name has come into use; `.failed` if the file cannot be written.
  mutating func publish() throws(CatalogueError) {
    guard fsync(lock) == 0 else { throw .failed("\(path) cannot be written: \(errnoMessage())") }
    guard FileStatus.isMissingOrEmpty(path) else {
      throw .unavailable("\(path) was made by another command at the same time")
    }
    for suffix in ["-wal", "-journal", "-shm"] {
      let (name, kept) = (path + suffix, FileReference.formerName(of: path) + suffix)
      let isKept = suffix != "-shm" && !FileStatus.isMissingOrEmpty(name)
      guard !isKept || link(name, kept) == 0 else {
        let obstacle = errno == EEXIST ? kept : name
        throw .unavailable("\(path) cannot be made: \(obstacle) is in the way: \(errnoMessage())")
      }
      guard unlink(name) == 0 || errno == ENOENT else {
        throw .unavailable("\(path) cannot be made: \(name) is in the way: \(errnoMessage())")
      }
    }
    guard rename(temporary, path) == 0 else {
      throw .unavailable("\(path) cannot be made: \(errnoMessage())")
    }
    isOwned = false
    let folder = open(Self.folder(of: path), O_RDONLY)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Whether a file can be from a killed command: empty, incomplete, or a carousel database.
  private static func isAbandoned(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 72)
    guard pread(descriptor, &head, head.count, 0) >= 0 else { return false }
    let isIncomplete = head.prefix(16).allSatisfy { $0 == 0 }
    let application = head[68...].reduce(0) { $0 << 8 | Int($1) }
    return isIncomplete
      || head.starts(with: "SQLite format 3\0".utf8) && application == Schema.applicationID
  }

  /// Where a symbolic link leads, also if no file is there: renaming a file to the link would replace the link.
  private static func resolved(_ path: String) -> String {
    var path = path
    // Linux follows at most 40 links. Foundation follows none that leads to a missing file.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        break
      }
      path = next.hasPrefix("/") ? next : "\(folder(of: path))/\(next)"
    }
    return path
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0
      && FileStatus(path: path)?.identity == FileIdentity(status)
  }
}
