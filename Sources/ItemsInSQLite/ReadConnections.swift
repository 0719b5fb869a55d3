import GRDB
import Items

/// The connections of `SQLiteReaders`, from one opening of the database to the next.
final class ReadConnections: Sendable {
  /// How often the database has been opened before.
  let number: Int
  /// The database as SQLite is told it.
  let name: String
  /// Nil where SQLite itself sees to it that all that is read is of one moment.
  let file: UnchangingFile?
  let pool: DatabasePool
  /// What windows are read on.
  let snapshots: Snapshots
  /// A connection that could write and never does: the last to be closed, it clears away what
  /// SQLite keeps beside the file. Nil where the file cannot be written.
  private let caretaker: DatabaseQueue?

  /// - Parameters:
  ///   - path: The database.
  ///   - count: How many may read at once.
  init(path: String, count: Int, number: Int) throws {
    let opened = try UnchangingFile.open(path) { name in
      (name, try Self.open(name, named: path, count: count))
    }
    ((name, pool), file) = opened
    self.number = number
    snapshots = Snapshots(path: name, limit: count)
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    caretaker = try? DatabaseQueue(path: path, configuration: configuration)
  }

  deinit {
    snapshots.close()
    try? pool.close()
    try? caretaker?.close()
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
