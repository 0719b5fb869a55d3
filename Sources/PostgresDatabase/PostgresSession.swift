import CPostgreSQL
import Catalogue
import Items
import SQLCatalogue
import Views

/// A connection that prepares each statement text once. Values and rows are transmitted in binary form.
final class PostgresSession: SQLSession {
  let connection: PostgresConnection
  private let name: String
  private var prepared: [String: PreparedStatement] = [:]
  private var preparedCount = 0
  /// The text that runs a SELECT for many sets of values, by the text of the SELECT.
  private var selections: [String: String] = [:]
  /// The last error since the session was borrowed from its pool.
  var failure: PostgresError?

  private struct PreparedStatement {
    let name: String
    let types: [Oid]
  }

  static let dialect = SQLDialect(
    lockClause: " FOR NO KEY UPDATE",
    itemHistory: "item_history WHERE strip = $1 AND last_revision >= $2",
    makeTemporaryTable: """
      CREATE TEMPORARY TABLE IF NOT EXISTS staged (
        number bigint PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, item bytea NOT NULL
      ) ON COMMIT DROP;
      TRUNCATE pg_temp.staged;
      """,
    insertSelected: "INSERT INTO",
    lookupBatchSize: 1000,
    size: """
      SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint, NULL::bigint FROM pg_class
      WHERE relnamespace = 'carousel'::regnamespace AND relkind = 'r'
      """)

  /// Connects. The server plans each statement once, for all values, and uses indexes also while a table is small.
  ///
  /// - Throws: a `PostgresError` if the server cannot be reached.
  package init(to address: ConnectionString) throws {
    name = address.description
    connection = try PostgresConnection(to: address)
    try connection.run(
      """
      SET search_path TO carousel, pg_temp;
      SET lock_timeout TO '10s';
      SET idle_in_transaction_session_timeout TO 0;
      SET plan_cache_mode TO force_generic_plan;
      SET enable_seqscan TO off;
      SET jit TO off;
      SET client_min_messages TO warning
      """)
  }

  var dialect: SQLDialect { Self.dialect }

  @discardableResult
  func run(
    _ sql: String, _ values: [SQLValue], _ row: (any SQLRow) throws -> Void
  ) throws -> Int {
    let result = try catching { try connection.run(prepare(sql, for: [values][...]), values) }
    try result.forEach(row)
    return result.changedCount
  }

  /// The most sets of values in one round trip, whose results are in memory.
  private static let batchSize = 1000

  @discardableResult
  func run(
    _ sql: String, forEach sets: [[SQLValue]], _ row: (Int, any SQLRow) throws -> Void
  ) throws -> Int {
    var changed = 0
    for start in stride(from: 0, to: sets.count, by: Self.batchSize) {
      let batch = sets[start..<min(start + Self.batchSize, sets.count)]
      if batch.count > 1, sql.hasPrefix("SELECT"), let types = Self.elementTypes(of: batch) {
        try select(sql, forEach: batch, types, row)
        continue
      }
      let results = try catching { try connection.run(prepare(sql, for: batch), forEach: batch) }
      for (index, result) in zip(start..., results) {
        try result.forEach { try row(index, $0) }
        changed += result.changedCount
      }
    }
    return changed
  }

  /// Nil unless the values are numbers and texts.
  private static func elementTypes(of sets: ArraySlice<[SQLValue]>) -> [Oid]? {
    let types = sets.first?.compactMap { value -> Oid? in
      switch value {
      case .integer: TypeOID.int8
      case .text: TypeOID.text
      case .null, .utf8, .bytes: nil
      }
    }
    return types?.count == sets.first?.count ? types : nil
  }

  /// Runs a SELECT for each set of values with one statement, in half the time of a statement for each set.
  ///
  ///     SELECT found.*, sets.number
  ///     FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS sets(p1, p2, number)
  ///     CROSS JOIN LATERAL (SELECT ... WHERE strip = sets.p1 AND id = sets.p2 OFFSET 0) AS found
  ///
  /// Because of `OFFSET`, PostgreSQL does not merge the subquery with the outer query. It plans the SELECT as if it stood
  /// alone.
  private func select(
    _ sql: String, forEach sets: ArraySlice<[SQLValue]>, _ types: [Oid],
    _ row: (Int, any SQLRow) throws -> Void
  ) throws {
    let statement = selections[sql] ?? Self.selection(of: sql, types)
    selections[sql] = statement
    let arrays = types.enumerated().map { column, type in
      SQLValue.bytes(CopyEncoder.array(sets.lazy.map { $0[column] }, of: type))
    }
    let result = try catching {
      try connection.run(prepare(statement, for: [arrays][...]), arrays)
    }
    let last = result.columnCount - 1
    try result.forEach { try row(sets.startIndex + Int($0.integer(last)) - 1, $0) }
  }

  private static func selection(of sql: String, _ types: [Oid]) -> String {
    let numbers = Array(1...types.count)
    let arrays = zip(numbers, types).map { "$\($0)::\($1 == TypeOID.int8 ? "bigint" : "text")[]" }
    // Begins with the greatest number, because `$1` is also the beginning of `$10`.
    let query = numbers.reversed().reduce(sql) { $0.replacing("$\($1)", with: "sets.p\($1)") }
    return """
      SELECT found.*, sets.number
      FROM unnest(\(arrays.joined(separator: ", "))) WITH ORDINALITY
        AS sets(\(numbers.map { "p\($0), " }.joined())number)
      CROSS JOIN LATERAL (\(query) OFFSET 0) AS found
      """
  }

  func runScript(_ sql: String) throws {
    try catching { try connection.run(sql) }
  }

  func nextNumber() throws -> Int64 {
    guard let number = try first("SELECT nextval('number')", [], { try $0.integer(0) }) else {
      throw CatalogueError.corrupt("\(name): the sequence number gives nothing")
    }
    return number
  }

  func clock() throws -> Int64 {
    try first("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)") {
      try $0.integer(0)
    } ?? WallClock.now
  }

  func notify(_ notifications: [ChangeNotification]) throws {
    let texts = ChangeNotification.texts(of: notifications)
    try run("SELECT pg_notify('carousel', $1)", forEach: texts.map { [.text($0)] })
  }

  func bulkWriter() -> any SQLBulkWriter { PostgresBulkWriter(self) }

  /// The name of the prepared statement for a text. A number is a `bigint`, and the server infers the other types. A
  /// parameter that is a number for the first time needs the statement prepared again.
  private func prepare(_ sql: String, for sets: ArraySlice<[SQLValue]>) throws -> String {
    let known = prepared[sql]
    var types = known?.types ?? [Oid](repeating: 0, count: sets.first?.count ?? 0)
    var isNew = known == nil
    for values in sets {
      for (index, value) in values.enumerated() where types[index] == 0 {
        guard case .integer = value else { continue }
        types[index] = TypeOID.int8
        isNew = true
      }
    }
    if let known, !isNew { return known.name }
    preparedCount += 1
    let statement = PreparedStatement(name: "s\(preparedCount)", types: types)
    try connection.prepare(sql, as: statement.name, types: types)
    prepared[sql] = statement
    return statement.name
  }

  /// Stores an error for the pool.
  private func catching<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgresError {
      failure = error
      throw CatalogueError(error, name)
    }
  }

  /// - Parameter committing: runs before `COMMIT` is sent. If the connection is lost then, the transaction may be
  ///   committed.
  func transaction<Value>(
    _ begin: String, _ body: () throws -> Value, committing: () -> Void = {}
  ) throws -> Value {
    try runScript(begin)
    let value: Value
    do {
      value = try body()
      // `COMMIT` would roll back the failed transaction without an error.
      if connection.hasFailedTransaction {
        throw failure.map { CatalogueError($0, name) }
          ?? CatalogueError.failed("\(name): a statement of the transaction failed")
      }
    } catch {
      // If this fails too, the connection is lost, and the transaction with it.
      try? connection.run("ROLLBACK")
      throw error
    }
    committing()
    try runScript("COMMIT")
    return value
  }

  /// Limits how long statements wait for a lock, unless most of the time is left: it takes a round trip.
  func limitLocks(by deadline: WriteDeadline) throws {
    let left = deadline.millisecondsLeft
    guard left < 900 * WriteDeadline.seconds else { return }
    // 0 would mean no limit.
    try run("SELECT set_config('lock_timeout', $1, true)", [.text("\(max(1, left))")])
  }

  /// Removes the rows from `rows`.
  func copy(_ rows: inout CopyEncoder, _ sql: String) throws {
    guard !rows.isEmpty else { return }
    try catching {
      try connection.beginCopy(sql)
      do {
        try connection.sendCopy(CopyEncoder.head)
        try connection.sendCopy(rows.bytes)
        try connection.sendCopy(CopyEncoder.tail)
      } catch {
        try? connection.endCopy(abandoning: "abandoned")
        throw error
      }
      try connection.endCopy()
    }
    rows.removeAll()
  }
}
