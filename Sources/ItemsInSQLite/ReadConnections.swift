import Catalogue
@preconcurrency import Dispatch
import GRDB
import Synchronization

/// The connections of `SQLiteReaders`, from one opening of the database to the next.
final class ReadConnections: Sendable {
  /// How often the database has been opened before.
  let number: Int
  /// The database as SQLite is told it.
  let name: String
  /// Nil where SQLite itself sees to it that all that is read is of one moment.
  let file: ImmutableDatabase?
  let pool: DatabasePool
  /// What windows are read on.
  let snapshots: WindowReaders
  /// A connection that could write and never does: the last to be closed, it clears away what
  /// SQLite keeps beside the file. Nil where the file cannot be written.
  private let caretaker: DatabaseQueue?
  /// Whether the database is opened no more.
  private let isLast = Atomic(false)
  /// Left when all are closed.
  private let ended: DispatchGroup

  /// - Parameters:
  ///   - path: The database.
  ///   - count: How many may read at once.
  ///   - ended: is entered, and left when all connections are closed.
  init(path: String, count: Int, number: Int, ended: DispatchGroup) throws {
    let opened = try ImmutableDatabase.open(path) { name in
      (name, try Self.open(name, named: path, count: count))
    }
    ((name, pool), file) = opened
    self.number = number
    snapshots = WindowReaders(path: name, limit: count)
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    caretaker = try? DatabaseQueue(path: path, configuration: configuration)
    self.ended = ended
    ended.enter()
  }

  /// Closes all, when nobody reads any more.
  deinit {
    snapshots.close()
    try? pool.close()
    if isLast.load(ordering: .relaxed) { takeInLog() }
    try? caretaker?.close()
    ended.leave()
  }

  /// Has the log taken into the file at the end, and hastens that: whoever still reads is told no more.
  func end() {
    isLast.store(true, ordering: .relaxed)
    pool.interrupt()
  }

  /// As much of it as others allow who have the database open; they are not waited for.
  private func takeInLog() {
    try? caretaker?.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      _ = try db.checkpoint(.truncate)
    }
  }

  private static func open(_ path: String, named: String, count: Int) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.maximumReaderCount = count
    configuration.busyMode = .timeout(5)
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.read { db in
      guard try Schema.check(db, path: named) else {
        throw CatalogueError.unavailable(
          "\(named) is of an older version and cannot be written, so that it cannot be brought to "
            + "version \(Schema.version)")
      }
    }
    return pool
  }
}
