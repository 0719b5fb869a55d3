import Catalogue
import Foundation
import GRDB

/// Device and inode. No other file gets the inode of an open file.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }
}

/// Differs for another file, and after a write.
struct FileStamp: Equatable, Sendable {
  let identity: FileIdentity
  let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  static func isMissingOrEmpty(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}

func lastReason() -> String { String(cString: strerror(errno)) }

/// The file that connections were opened on. A command can put another file at its path. SQLite still uses the old
/// file, and processes that start later do not see writes to it.
struct OpenedFile: Sendable {
  static let replaced = "the database file was replaced by another file"

  let path: String
  private let identity: FileIdentity

  init(path: String) throws(CatalogueError) {
    guard let state = FileStamp(path: path) else { throw .unavailable("\(path) does not exist") }
    self.path = path
    identity = state.identity
  }

  /// Why nothing may be written; nil if it is the file at its path. One system call.
  var staleReason: String? {
    guard let found = FileStamp(path: path) else { return "the database file was removed" }
    return found.identity == identity ? nil : Self.replaced
  }

  func check() throws(CatalogueError) {
    if let staleReason { throw .unavailable("\(path): \(staleReason)") }
  }
}

/// A database in a place where this process can write neither the file nor a log. SQLite reads it without locks, as a
/// file that does not change.
///
///     let (queue, file) = try ImmutableDatabase.open(path) { try DatabaseQueue(path: $0) }
///     …
///     try file?.check()  // everything read so far is of one moment
///
/// A process with more rights can write to the file. Reads since then are inconsistent, and it must be reopened.
struct ImmutableDatabase: Sendable {
  private let path: String
  private let state: FileStamp
  private var uri: String { URL(fileURLWithPath: path).absoluteString + "?immutable=1" }

  private init?(_ path: String) {
    guard let state = FileStamp(path: path) else { return nil }
    self.path = path
    self.state = state
  }

  /// Opens a database by its path, or as an immutable file if SQLite cannot open it otherwise.
  ///
  /// - Parameter connect: gets a path or URI, opens the database, and reads from it.
  /// - Returns: nil as the second value if the path was enough.
  /// - Throws: `.unavailable` if a log lies beside a read-only file: the newest state is not in the file.
  static func open<Connection>(
    _ path: String, _ connect: (String) throws -> Connection
  ) throws -> (Connection, ImmutableDatabase?) {
    do {
      return (try connect(path), nil)
    } catch let error as DatabaseError
      where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
    {
      // Before the file is opened, so that any later write counts as a change.
      guard let protection = WriteProtection(of: path), let file = ImmutableDatabase(path) else {
        throw error
      }
      guard !file.hasLog else {
        throw CatalogueError.unavailable(
          "\(path) cannot be read with the log beside it: \(protection.rawValue)")
      }
      return (try connect(file.uri), file)
    }
  }

  /// Throws `.unavailable` if a file is no catalogue of this version, or lacks pages. Does not read or make a log.
  static func checkComplete(_ path: String) throws {
    guard let file = ImmutableDatabase(path) else {
      throw CatalogueError.unavailable("\(path) does not exist")
    }
    do {
      let queue = try DatabaseQueue(path: file.uri, configuration: Configuration(readonly: true))
      try queue.read { try Schema.check($0, path: path) }
      try queue.close()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // The file has fewer pages than its first page says.
      throw CatalogueError.unavailable("\(path) is incomplete")
    }
  }

  /// Whether another process has written to the file or made a log.
  var isOutdated: Bool { isWritten || hasLog }

  private var hasLog: Bool { !FileStamp.isMissingOrEmpty(path + "-wal") }

  /// Another file at the path does not change reads from the open one.
  private var isWritten: Bool {
    guard let now = FileStamp(path: path), now.identity == state.identity else { return false }
    return now != state
  }

  /// Throws `.unavailable` if the file was written since it was opened. One system call.
  func check() throws(CatalogueError) {
    guard !isWritten else {
      throw .unavailable("\(path) is being written by another process: try again later")
    }
  }
}

/// Why this process cannot write to a database file. SQLite writes to a log beside it first, so its folder must be
/// writable too.
enum WriteProtection: String {
  case ofFile = "it is read-only"
  case ofFolder = "its folder is read-only, and changes go to a log beside the file first"
  case ofFileSystem = "it is on a read-only file system"

  /// Nil if the permissions allow writing, or if there is no file.
  init?(of path: String) {
    guard access(path, F_OK) == 0 else { return nil }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    for (target, protection) in [(path, Self.ofFile), (folder, .ofFolder)]
    where access(target, W_OK) != 0 {
      self = errno == EROFS ? .ofFileSystem : protection
      return
    }
    return nil
  }

  func error(of path: String) -> CatalogueError {
    .failed("\(path) cannot be written: \(rawValue)")
  }
}
