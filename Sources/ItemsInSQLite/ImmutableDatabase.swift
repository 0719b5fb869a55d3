import Catalogue
import Foundation
import GRDB

/// A database where this process can write nothing, neither the file nor a log beside it: SQLite reads
/// it without locks, as a file that does not change.
///
///     let (queue, file) = try ImmutableDatabase.open(path) { try DatabaseQueue(path: $0) }
///     …
///     try file?.check()  // what has been read is of one moment
///
/// Who may do more than this process may write to it all the same: then what was read since is of
/// no moment at all, and the database has to be opened anew.
struct ImmutableDatabase: Sendable {
  private let path: String
  private let state: State
  /// The name by which SQLite reads it.
  private var name: String { URL(fileURLWithPath: path).absoluteString + "?immutable=1" }

  /// Which file it is, and what writing to it changes.
  private struct State: Equatable {
    let device: UInt64
    let number: UInt64
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    /// - Returns: nil where there is no such file.
    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(status.st_ino)
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

  /// Opens a database by its name, or as a file that does not change where there is no other way.
  ///
  /// - Parameter connect: is given the name for SQLite; opens the database there, and reads of it.
  /// - Returns: nil for the file that is read by its name.
  /// - Throws: `.unavailable` where a log stands beside a file that can only be read: its newest state is
  ///   not in the file alone.
  static func open<Connection>(
    _ path: String, _ connect: (String) throws -> Connection
  ) throws -> (Connection, ImmutableDatabase?) {
    do {
      return (try connect(path), nil)
    } catch let error as DatabaseError
      where [.SQLITE_READONLY, .SQLITE_CANTOPEN].contains(error.resultCode)
    {
      // Before it is opened: what is written from now on is a change.
      guard let protection = WriteProtection(of: path), let file = ImmutableDatabase(path) else {
        throw error
      }
      guard TemporaryDatabase.isNothing(path + "-wal") else {
        throw CatalogueError.unavailable(
          "\(path) cannot be read with the log beside it: \(protection.rawValue)")
      }
      return (try connect(file.name), file)
    }
  }

  private init?(_ path: String) {
    guard let state = State(path: path) else { return nil }
    self.path = path
    self.state = state
  }

  /// Whether another process has written to the file, or is about to: it has to be opened anew.
  var isOvertaken: Bool { isWritten || !TemporaryDatabase.isNothing(path + "-wal") }

  /// A file that has got this one's name does not change what is read of this one.
  private var isWritten: Bool {
    guard let now = State(path: path), (now.device, now.number) == (state.device, state.number)
    else { return false }
    return now != state
  }

  /// Makes sure that what has been read since the file was opened is of one moment.
  ///
  /// - Throws: `.unavailable` where the file has been written.
  /// - Complexity: one call of the system's.
  func check() throws(CatalogueError) {
    guard !isWritten else {
      throw .unavailable("\(path) is being written by another process: try again later")
    }
  }
}
