import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import Synchronization

/// Connections that read one database, many at a time.
final class SQLiteReaders: Sendable {
  let path: String
  private let count: Int
  /// Nil once they are closed.
  private let newest: Mutex<ReadConnections?>
  private let ended = DispatchGroup()
  /// Held while the database is opened anew, or by who needs it not to be.
  private let opening = Mutex(())

  /// Opens a database that is there.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - count: How many may read at once.
  /// - Throws: `.unavailable` when there is none, it is none of ours, or of a newer version.
  init(path: String, count: Int) throws(CatalogueError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .unavailable("\(path) does not exist; \"carousel import\" makes a database")
    }
    guard !isFolder.boolValue else {
      throw .unavailable("\(path) is a folder, not a database")
    }
    self.path = path
    self.count = count
    try Migration.bringUpToDate(path)
    let ended = ended
    newest = Mutex(
      try catching(path) {
        try ReadConnections(path: path, count: count, number: 0, ended: ended)
      })
  }

  /// Runs `body` in a transaction of its own: everything it reads is of one moment.
  func read<Result>(
    _ body: (Database) throws -> Result
  ) throws(CatalogueError) -> Result {
    try using { try $0.pool.read(body) }
  }

  /// Runs one statement, or several that need not be of one moment: what a request does.
  func readOnce<Result>(
    _ body: (Database) throws -> Result
  ) throws(CatalogueError) -> Result {
    try using { try $0.pool.unsafeRead(body) }
  }

  /// Hands out what stands at `positions`, as `WindowReaders` do.
  func read(
    _ positions: [Int64], of strip: Int64, at revision: Int64, _ take: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Int {
    try using { $0.snapshots.read(positions, of: strip, at: revision, take) }
  }

  /// Runs `body` with connections that read a long layout along with one of these.
  func withCompanions(
    _ body: ([ParallelReader]) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try opening.withLock { _ throws(CatalogueError) in
      try body(ParallelReader.several(path: present().name))
    }
  }

  /// What is another one whenever another connection has committed, or the database has been opened
  /// anew.
  struct Version: Equatable {
    fileprivate let opening: Int
    fileprivate let data: Int
  }

  func version() throws(CatalogueError) -> Version {
    // The pool's writing connection, which never writes here, is always the same one: only on one
    // connection do these numbers compare.
    try using { connections in
      try connections.pool.writeWithoutTransaction { db in
        Version(
          opening: connections.number,
          data: try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0)
      }
    }
  }

  /// Opens the database anew where it was taken for one that does not change, and another process
  /// writes to it all the same. Until then nothing can be read.
  func follow() throws(CatalogueError) {
    _ = try opening.withLockIfAvailable { _ throws(CatalogueError) in
      let known = try present()
      guard let file = known.file, file.isOvertaken else { return }
      let anew = try catching(path) {
        try ReadConnections(path: path, count: count, number: known.number + 1, ended: ended)
      }
      newest.withLock { if $0 != nil { $0 = anew } }
    }
  }

  /// Ends the transactions of windows that nobody has ended, since nobody has read since.
  func letGo() { newest.withLock { $0 }?.snapshots.letGo() }

  /// Ends all connections, after having taken into the file what the log beside it holds. Who reads
  /// meanwhile keeps its connection until that is done; nobody gets one any more.
  func close() {
    newest.withLock { newest in
      defer { newest = nil }
      return newest
    }?.end()
    ended.wait()
  }

  private func present() throws(CatalogueError) -> ReadConnections {
    guard let newest = newest.withLock({ $0 }) else { throw .unavailable("\(path) is closed") }
    return newest
  }

  /// Runs `body` on the newest connections.
  ///
  /// - Throws: `.unavailable`, whatever has been read or found damaged, where that was of no moment.
  private func using<Value>(
    _ body: (ReadConnections) throws -> Value
  ) throws(CatalogueError) -> Value {
    let connections = try present()
    let result = Result { () throws(CatalogueError) in
      try catching(path) { try body(connections) }
    }
    try connections.file?.check()
    return try result.get()
  }
}
