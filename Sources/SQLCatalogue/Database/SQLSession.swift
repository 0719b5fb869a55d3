package import Catalogue

/// A connection of a `SQLDatabase` within a transaction: what statements run on. For one thread.
///
/// Statements name their values `$1`, `$2`, ... Each text is prepared once for each connection. All integer
/// columns are 64 bits wide, and texts compare by the bytes of their UTF-8.
package protocol SQLSession: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs a statement, and calls `row` for each row that it gives.
  ///
  /// - Returns: how many rows a statement that writes has changed.
  @discardableResult
  func run(
    _ sql: String, _ values: [SQLValue], _ row: (any SQLRow) throws -> Void
  ) throws -> Int

  /// Runs a statement once for each set of values, in order, in one round trip if there is a network.
  ///
  /// - Parameter row: gets the index of the set as well.
  /// - Returns: how many rows all runs have changed.
  @discardableResult
  func run(
    _ sql: String, forEach sets: [[SQLValue]], _ row: (Int, any SQLRow) throws -> Void
  ) throws -> Int

  /// Runs several statements that take no values and give no rows.
  func runScript(_ sql: String) throws

  /// A number that the database never gives twice: of strips, places and layout generations.
  func nextNumber() throws -> Int64

  /// The time by the clock that all servers of the database share, in microseconds since 1970.
  func clock() throws -> Int64

  /// Reports changes to all servers once the transaction commits.
  func notify(_ notices: [ChangeNotice]) throws

  /// A writer of many rows in this transaction.
  func bulkWriter() -> any SQLBulkWriter
}

extension SQLSession {
  @discardableResult
  package func run(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
    try run(sql, values) { _ in }
  }

  @discardableResult
  package func run(_ sql: String, forEach sets: [[SQLValue]]) throws -> Int {
    try run(sql, forEach: sets) { _, _ in }
  }

  package func map<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (any SQLRow) throws -> Value
  ) throws -> [Value] {
    var found: [Value] = []
    try run(sql, values) { found.append(try read($0)) }
    return found
  }

  /// What `read` makes of the first row; nil if there is none.
  package func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (any SQLRow) throws -> Value
  ) throws -> Value? {
    var found: Value?
    try run(sql, values) { row in if found == nil { found = try read(row) } }
    return found
  }
}

/// A value that a statement is given beside its text.
package enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case text(String)
  /// Text, as the bytes of its UTF-8.
  case utf8([UInt8])
  case bytes([UInt8])

  package static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
  package static func optional(_ number: Int64?) -> SQLValue {
    number.map { .integer($0) } ?? .null
  }
  package static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
  package static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .bytes($0) } ?? .null }
  /// Parameters for SQL: `$2, $3, $4`.
  static func parameters(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { "$\($0)" }.joined(separator: ", ")
  }

  package static func boolean(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
}

/// One row that a statement gives, its values by column from 0. Valid until the next row.
///
/// Each function throws `.corrupt` if the column holds something else.
package protocol SQLRow {
  func isNull(_ column: Int) -> Bool
  func integer(_ column: Int) throws -> Int64
  func text(_ column: Int) throws -> String
  /// The bytes of a text or of bytes, valid within `body`.
  func withBytes<Value>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value
}

extension SQLRow {
  package func bytes(_ column: Int) throws -> [UInt8] { try withBytes(column) { Array($0) } }
  package func boolean(_ column: Int) throws -> Bool { try integer(column) != 0 }

  package func optionalInteger(_ column: Int) throws -> Int64? {
    isNull(column) ? nil : try integer(column)
  }

  package func optionalText(_ column: Int) throws -> String? {
    isNull(column) ? nil : try text(column)
  }

  package func optionalBytes(_ column: Int) throws -> [UInt8]? {
    isNull(column) ? nil : try bytes(column)
  }
}

/// Writes rows of many items and layout chunks, in the transaction of its session.
package protocol SQLBulkWriter: AnyObject {
  /// Prepares for items of a strip that has `count` items so far. Several strips can be open.
  func begin(strip: Int64, count: Int) throws

  /// Ends what `begin` began.
  func end(strip: Int64)

  /// Inserts an item of a strip that was begun.
  ///
  /// - Returns: false if the strip has an item of this id; the row is not written then.
  func insert(_ row: ItemRow) throws -> Bool

  func insert(_ chunk: LayoutChunk.Columns, generation: Int64) throws

  /// Writes everything that is buffered. Statements of the session see it afterwards.
  func flush() throws
}

/// Where the SQL of two databases differs.
package struct SQLDialect: Sendable {
  /// What locks the rows of a SELECT until the transaction ends: ` FOR NO KEY UPDATE`.
  package let lockClause: String
  /// The table expression and condition for rows of `past_item` that a strip `$1` had at revision `$2` or
  /// later; more conditions can follow with AND.
  package let pastItems: String
  /// Makes the temporary table `staged (number, id, item)` if it is not there, and empties it.
  package let makeStagingTable: String
  /// How a statement begins that inserts at most one row, which a SELECT gives: `INSERT INTO`.
  package let insertSelected: String
  /// How many items an import looks up with one round trip.
  package let lookupCount: Int

  package init(
    lockClause: String, pastItems: String, makeStagingTable: String, insertSelected: String,
    lookupCount: Int
  ) {
    self.lockClause = lockClause
    self.pastItems = pastItems
    self.makeStagingTable = makeStagingTable
    self.insertSelected = insertSelected
    self.lookupCount = lookupCount
  }
}
