import Catalogue
import Foundation
import GRDB

/// A database in a place where this process can write neither the file nor a log beside it. SQLite reads
/// it without locks, as a file that does not change.
///
///     let (queue, file) = try ImmutableDatabase.open(path) { try DatabaseQueue(path: $0) }
///     …
///     try file?.check()  // everything read so far is of one moment
///
/// A process with more rights can still write to the file. Reads since then are inconsistent, and the
/// database must be reopened.
struct ImmutableDatabase: Sendable {
  private let path: String
  private let state: State
  /// The URI by which SQLite opens the file.
  private var uri: String { URL(fileURLWithPath: path).absoluteString + "?immutable=1" }

  /// Identifies a file, and changes when the file is written.
  private struct State: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    /// - Returns: nil if there is no such file.
    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int(status.st_size)
      #if canImport(Darwin)
        let modified = status.st_mtimespec
      #else
        let modified = status.st_mtim
      #endif
      seconds = Int(modified.tv_sec)
      nanoseconds = Int(modified.tv_nsec)
    }
  }

  /// Opens a database by its path, or as an immutable file if SQLite cannot open it otherwise.
  ///
  /// - Parameter connect: opens the database by the path or URI it gets, and reads from it.
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
      // The state is taken before the file is opened: any later write counts as a change.
      guard let protection = WriteProtection(of: path), let file = ImmutableDatabase(path) else {
        throw error
      }
      guard TemporaryDatabase.isNothing(path + "-wal") else {
        throw CatalogueError.unavailable(
          "\(path) cannot be read with the log beside it: \(protection.rawValue)")
      }
      return (try connect(file.uri), file)
    }
  }

  private init?(_ path: String) {
    guard let state = State(path: path) else { return nil }
    self.path = path
    self.state = state
  }

  /// Whether another process has written to the file or has created a log. The file must be reopened.
  var isOutdated: Bool { isWritten || !TemporaryDatabase.isNothing(path + "-wal") }

  /// A new file under the same path does not change what is read from the open one.
  private var isWritten: Bool {
    guard let now = State(path: path), (now.device, now.inode) == (state.device, state.inode)
    else { return false }
    return now != state
  }

  /// Checks that everything read since the file was opened is of one moment.
  ///
  /// - Throws: `.unavailable` if the file has been written.
  /// - Complexity: one system call.
  func check() throws(CatalogueError) {
    guard !isWritten else {
      throw .unavailable("\(path) is being written by another process: try again later")
    }
  }
}
