package import Catalogue
import Items
import Views

/// A connection of a `SQLDatabase` within a transaction, for one thread.
///
/// Statements name their values `$1`, `$2`, ... A connection prepares each text once. Integer columns are 64 bits wide.
/// Texts compare by the bytes of their UTF-8.
package protocol SQLSession: AnyObject {
  var dialect: SQLDialect { get }

  /// - Returns: the number of rows that the statement has changed.
  @discardableResult
  func run(
    _ sql: String, _ values: [SQLValue], _ row: (any SQLRow) throws -> Void
  ) throws -> Int

  /// Runs a statement once for each set of values, in order, in one round trip if there is a network. `row` also gets
  /// the index of the set.
  ///
  /// - Returns: the number of rows that all runs have changed.
  @discardableResult
  func run(
    _ sql: String, forEach sets: [[SQLValue]], _ row: (Int, any SQLRow) throws -> Void
  ) throws -> Int

  /// Runs several statements without values.
  func runScript(_ sql: String) throws

  /// A number that the database never gives twice: for strips, places and generations.
  func nextNumber() throws -> Int64

  /// Microseconds since 1970, by the clock that all servers of the database share.
  func clock() throws -> Int64

  /// Reports changes to all servers at the commit.
  func notify(_ notifications: [ChangeNotification]) throws

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

  /// Nil if there is no row.
  package func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (any SQLRow) throws -> Value
  ) throws -> Value? {
    var found: Value?
    try run(sql, values) { row in if found == nil { found = try read(row) } }
    return found
  }
}

package enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case text(String)
  /// UTF-8.
  case utf8([UInt8])
  case bytes([UInt8])

  package static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
  package static func optional(_ number: Int64?) -> SQLValue {
    number.map { .integer($0) } ?? .null
  }
  package static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
  package static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map { .bytes($0) } ?? .null }
  /// The names of parameters with these numbers: `$2, $3, $4`.
  static func parameters(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { "$\($0)" }.joined(separator: ", ")
  }

  package static func boolean(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
}

/// A row of a result, its columns from 0. Valid until the next row. Functions throw `.corrupt` for a column of another
/// type.
package protocol SQLRow {
  func isNull(_ column: Int) -> Bool
  func isInteger(_ column: Int) -> Bool
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

package protocol SQLBulkWriter: AnyObject {
  /// - Parameter count: the number of items that the strip has so far. Several strips can be open.
  func begin(strip: Int64, count: Int) throws

  func end(strip: Int64)

  /// - Returns: false if the strip has an item of this id; the row is not written then.
  func insert(_ row: ItemRow) throws -> Bool

  func insert(_ chunk: GeometryChunk.Columns, generation: Int64) throws

  /// Writes the buffered rows. Later statements of the session see them.
  func flush() throws
}

/// The parts of SQL that differ between databases.
package struct SQLDialect: Sendable {
  /// The clause that locks the rows of a SELECT until the end of the transaction: ` FOR NO KEY UPDATE`.
  package let lockClause: String
  /// The table and condition for rows of `item_history` that a strip `$1` had at revision `$2` or later. AND can follow.
  package let itemHistory: String
  /// Makes or empties the temporary table `staged (number, id, item)`.
  package let makeTemporaryTable: String
  /// The beginning of an insertion of at most one row from a SELECT: `INSERT INTO`.
  package let insertSelected: String
  /// The number of items that an import looks up in one round trip.
  package let lookupBatchSize: Int
  /// Selects the bytes of the tables, and those of their free pages; NULL if the database does not count these.
  package let size: String

  package init(
    lockClause: String, itemHistory: String, makeTemporaryTable: String, insertSelected: String,
    lookupBatchSize: Int, size: String
  ) {
    self.lockClause = lockClause
    self.itemHistory = itemHistory
    self.makeTemporaryTable = makeTemporaryTable
    self.insertSelected = insertSelected
    self.lookupBatchSize = lookupBatchSize
    self.size = size
  }
}
