package import Catalogue
package import Items
package import SQLCatalogue
import Synchronization
import Views

/// A catalogue in a PostgreSQL database. Many servers can read and write it; writers lock the rows of the strips that
/// they change.
package final class PostgresServer: SQLDatabase, SQLImportDatabase {
  private let address: ConnectionString
  private let readers: ConnectionPool
  private let writers: ConnectionPool
  private let listener = Mutex<PostgresChangeObserver?>(nil)
  private let writeHealth = WriteHealth()
  /// Stops the running import.
  private let cancellation = Mutex<StatementCancellation?>(nil)
  package let writerCount: Int

  /// - Parameters:
  ///   - connections: the idle connections to keep for reads.
  ///   - waits: whether the server need not be reachable yet.
  /// - Throws: `.unavailable` if the database cannot be used or holds no catalogue of this version.
  package init(
    _ address: ConnectionString, connections: Int = 8, writers: Int = 4, waits: Bool = false
  ) throws(CatalogueError) {
    self.address = address
    readers = ConnectionPool(address, limit: connections) { try Schema.check($0, address) }
    self.writers = ConnectionPool(address, limit: writers + 1) { session in
      try Schema.check(session, address)
      try Schema.claimEpoch(session)
    }
    writerCount = writers
    if !waits, let reason = try readers.unavailabilityReason() { throw .unavailable(reason) }
  }

  package var name: String { address.description }
  package var windowReader: (any WindowReader)? { nil }

  package func read<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try readers.read { session in
      try session.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
        try body(session)
      }
    }
  }

  package func readStatement<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try readers.read { try body($0) }
  }

  package func write<Value>(
    by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try writeHealth.recording { () throws(CatalogueError) in
      try writers.write { session in
        try session.limitLocks(by: deadline)
        return try body(session)
      }
    }
  }

  package func maintain<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    // Runs on a reader: a writer would give the strips of a restored dump new revisions, and a mere read can cause
    // maintenance.
    try readers.write("BEGIN; SET LOCAL synchronous_commit TO off") { try body($0) }
  }

  package func observe(_ handler: @escaping ChangeHandler) throws(CatalogueError) {
    let started = try PostgresChangeObserver(address, handler)
    listener.withLock { listener in
      listener?.end()
      listener = started
    }
  }

  package var readOnlyReason: String? {
    let isDisconnected = listener.withLock { $0?.isDisconnected.load(ordering: .relaxed) }
    return isDisconnected == true ? "the database cannot be reached" : writeHealth.failureReason
  }

  package func unavailabilityReason() throws(CatalogueError) -> String? {
    try readers.unavailabilityReason()
  }

  /// The items that the index of ids does not lead to. PostgreSQL itself offers no check of indexes. `+ 0` keeps
  /// PostgreSQL from using this index to read all items.
  ///
  /// - Complexity: a look-up for each item.
  package func structureFaults(limit: Int, _ session: any SQLSession) throws -> [String] {
    try session.map(
      """
      SELECT strip.name, item.id FROM item JOIN strip ON strip.number = item.strip + 0
      WHERE item.sort_key IS DISTINCT FROM (
        SELECT found.sort_key FROM item AS found
        WHERE found.strip = item.strip AND found.id = item.id LIMIT 1)
      LIMIT \(limit)
      """, []
    ) { row in
      "the item \"\(try row.text(1))\" of the strip \"\(try row.text(0))\" is not found by its id"
    }
  }

  package func close() {
    listener.withLock { listener in
      listener?.end()
      listener = nil
    }
    readers.close()
    writers.close()
  }

  deinit { close() }

  /// Missing tables are made in the same transaction.
  package func importing<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try ConnectionPool(address, limit: 0).write { session in
      let cancellation = session.connection.cancellation()
      self.cancellation.withLock { $0 = cancellation }
      defer { self.cancellation.withLock { $0 = nil } }
      try Schema.create(session, address)
      try Schema.claimEpochInTransaction(session)
      return try body(session)
    }
  }

  package func existing() throws(CatalogueError) -> (any SQLDatabase)? {
    let hasTables = try ConnectionPool(address, limit: 0).read { try Schema.exists($0, address) }
    return hasTables ? self : nil
  }

  package func interrupt() { cancellation.withLock { $0 }?.cancel() }
}
