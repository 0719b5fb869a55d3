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
  private let state: FileState
  /// The URI by which SQLite opens the file.
  private var uri: String { URL(fileURLWithPath: path).absoluteString + "?immutable=1" }

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
      guard TemporaryDatabase.isMissingOrEmpty(path + "-wal") else {
        throw CatalogueError.unavailable(
          "\(path) cannot be read with the log beside it: \(protection.rawValue)")
      }
      return (try connect(file.uri), file)
    }
  }

  private init?(_ path: String) {
    guard let state = FileState(path: path) else { return nil }
    self.path = path
    self.state = state
  }

  /// Checks that a file is a catalogue of this version, and has all its pages. SQLite does not look for a
  /// log, and makes none.
  ///
  /// - Throws: `.unavailable`.
  static func checkComplete(_ path: String) throws {
    guard let file = ImmutableDatabase(path) else {
      throw CatalogueError.unavailable("\(path) does not exist")
    }
    let start = try FileHandle(forReadingAtPath: path)?.read(upToCount: 32)
    let header = [UInt8](start ?? Data()) + [UInt8](repeating: 0, count: 32)
    // The file format has the size of a page at byte 16, and their number at byte 28.
    let pageSize = Int(header[16]) << 8 | Int(header[17])
    let pages = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
    guard
      !header.starts(with: "SQLite format 3".utf8)
        || file.state.size >= pages * (pageSize == 1 ? 65536 : pageSize)
    else { throw CatalogueError.unavailable("\(path) is incomplete") }
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: file.uri, configuration: configuration)
    try queue.read { try Schema.check($0, path: path) }
    try queue.close()
  }

  /// Whether another process has written to the file or has created a log. The file must be reopened.
  var isOutdated: Bool { isWritten || !TemporaryDatabase.isMissingOrEmpty(path + "-wal") }

  /// A new file under the same path does not change reads from the open file.
  private var isWritten: Bool {
    guard let now = FileState(path: path), now.identity == state.identity else { return false }
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
