package import Catalogue
import Foundation
import GRDB
package import Items
import SQLCatalogue
import Synchronization

/// Sorts any number of items in a temporary file that no other process sees.
///
/// The sort is stable. The items of a strip come out together, and the strips in the order of their first items.
package final class ExternalSorter: Sendable {
  private static let name = "the file to sort in"

  private let queue: DatabaseQueue
  private let isInterrupted = Atomic(false)

  /// - Parameter folder: for the file, unless `SQLITE_TMPDIR` is set. The system's temporary folders come second.
  /// - Throws: `.failed` if no temporary file can be made.
  package init(in folder: String) throws(CatalogueError) {
    queue = try mappingErrors(Self.name) {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        // SQLite reads the environment only once, when the process opens its first database.
        if getenv("SQLITE_TMPDIR") == nil {
          let quoted = folder.replacingOccurrences(of: "'", with: "''")
          try? db.execute(sql: "PRAGMA temp_store_directory = '\(quoted)'")
        }
      }
      // An empty path is SQLite's name for a temporary file.
      let queue = try DatabaseQueue(path: "", configuration: configuration)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE item (
              arrival INTEGER PRIMARY KEY, ordinal INTEGER, strip TEXT, class INTEGER, number REAL,
              text BLOB, line INTEGER, last_line INTEGER, clamped INTEGER, json TEXT)
            """)
      }
      return queue
    }
  }

  /// Stores the items of `fill`, each with its lines.
  package func store(
    _ fill: (_ add: (ParsedItem, ClosedRange<Int>) throws(CatalogueError) -> Void)
      throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try mappingErrors(Self.name) {
      try queue.write { db in
        let insert = try db.makeStatement(
          sql: """
            INSERT INTO item (ordinal, strip, class, number, text, line, last_line, clamped, json)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        var ordinals: [String: Int] = [:]
        try fill { read, lines throws(CatalogueError) in
          guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
          let key = read.sortValue.columns
          var ordinal = 0
          if let strip = read.strip {
            ordinal = ordinals[strip] ?? ordinals.count
            ordinals[strip] = ordinal
          }
          try mappingErrors(Self.name) {
            try insert.execute(arguments: [
              ordinal, read.strip, key.rank, key.number, key.text, lines.lowerBound,
              lines.upperBound, read.wasClamped, String(decoding: read.item.json, as: UTF8.self),
            ])
          }
        }
      }
    }
  }

  /// Passes the items to `body` in order, each with its lines. O(*n* log *n*).
  package func forEachSorted(
    _ body: (ParsedItem, ClosedRange<Int>) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try mappingErrors(Self.name) {
      try queue.read { db in
        let session = SQLiteSession(db, path: Self.name)
        try session.run(
          """
          SELECT json, strip, line, last_line, clamped FROM item
          ORDER BY ordinal, class, number, text, arrival
          """, []
        ) { row in
          let read = ParsedItem(
            item: try Item(json: row.bytes(0)), strip: try row.optionalText(1),
            wasClamped: try row.boolean(4))
          try body(read, Int(try row.integer(2))...Int(try row.integer(3)))
        }
      }
    }
  }

  /// Ends `store` or `forEachSorted` on another thread, with `.interrupted`.
  package func interrupt() {
    isInterrupted.store(true, ordering: .sequentiallyConsistent)
    queue.interrupt()
  }
}

extension SortValue {
  fileprivate var columns: (rank: Int, number: Double?, text: Data?) {
    switch self {
    case .number(let number): (0, number, nil)
    case .text(let text): (1, nil, Data(text))
    case .empty: (2, nil, nil)
    }
  }
}
