import CSQLite
package import Catalogue
import Foundation
import SQLCatalogue
import Synchronization

/// Sorts any number of items on the disk, in a temporary file that no other process sees.
///
/// Items of one strip come out together, and strips in the order in which they first came. Items of
/// equal keys keep their order.
package final class SortingStage: Sendable {
  private static let name = "the file to sort in"

  private let connection: SQLiteConnection
  private let isInterrupted = Atomic(false)

  /// - Parameter folder: where the file is made. The system's temporary folders come second.
  /// - Throws: `.failed` if no temporary file can be made.
  package init(in folder: String) throws(CatalogueError) {
    setenv("SQLITE_TMPDIR", folder, 0)
    connection = try mappingErrors(Self.name) {
      let connection = try SQLiteConnection(path: "")
      try connection.use { db in
        try db.execute(
          """
          PRAGMA journal_mode = OFF;
          PRAGMA synchronous = OFF;
          CREATE TABLE item (
            arrival INTEGER PRIMARY KEY, ordinal INTEGER, strip TEXT, class INTEGER, key, line INTEGER,
            brought INTEGER, json TEXT)
          """)
      }
      return connection
    }
  }

  /// Stores the items that `fill` gives, each with its line.
  ///
  /// - Complexity: O(*n*) writes.
  package func store(
    _ fill: (_ add: (ReadItem, Int) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try mappingErrors(Self.name) {
      try connection.write { db in
        let session = SQLiteSession(db, path: Self.name)
        var ordinals: [String: Int] = [:]
        try fill { read, line throws(CatalogueError) in
          guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
          let order = read.order.columns
          var ordinal = 0
          if let strip = read.strip {
            ordinal = ordinals[strip] ?? ordinals.count
            ordinals[strip] = ordinal
          }
          try mappingErrors(Self.name) {
            _ = try session.run(
              """
              INSERT INTO item (ordinal, strip, class, key, line, brought, json)
              VALUES ($1, $2, $3, $4, $5, $6, $7)
              """,
              [
                .integer(ordinal), .optional(read.strip), .integer(order.rank), order.key,
                .integer(line), .boolean(read.wasClamped), .utf8(read.item.json),
              ])
          }
        }
      }
    }
  }

  /// Gives the items in order, each with its line.
  ///
  /// - Complexity: O(*n* log *n*).
  package func forEachSorted(
    _ body: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try mappingErrors(Self.name) {
      try connection.read { db in
        let session = SQLiteSession(db, path: Self.name)
        try session.run(
          """
          SELECT json, strip, line, brought FROM item
          ORDER BY ordinal, class, key, arrival
          """, []
        ) { row in
          let read = ReadItem(
            item: try Item(json: row.bytes(0)), strip: try row.optionalText(1),
            wasClamped: try row.boolean(3))
          try body(read, Int(try row.integer(2)))
        }
      }
    }
  }

  /// Ends `store` or `forEachSorted` on another thread, with `.interrupted`.
  package func interrupt() {
    isInterrupted.store(true, ordering: .sequentiallyConsistent)
    connection.interrupt()
  }
}

extension SortKey {
  /// Columns that SQLite orders in the order of the keys.
  fileprivate var columns: (rank: Int, key: SQLValue) {
    switch self {
    case .number(let number): (0, .integer(number.ordered))
    case .text(let text): (1, .bytes(text))
    case .empty: (2, .null)
    }
  }
}

extension Double {
  /// An integer for each number, in the order of the numbers. That of -0 is that of 0.
  fileprivate var ordered: Int64 {
    let bits = Int64(bitPattern: (self + 0).bitPattern)
    return bits < 0 ? bits ^ .max : bits
  }
}
