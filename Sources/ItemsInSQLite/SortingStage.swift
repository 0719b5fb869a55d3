package import Catalogue
import Foundation
import GRDB
import Synchronization

/// Puts any number of items in order without holding them: on disk, in a file that nobody else sees
/// and that is gone with this.
///
/// Items of one strip come out together, the strips in the order in which they first came. Items of
/// equal keys come out in the order they went in.
package final class SortingStage: Sendable {
  private let queue: DatabaseQueue
  private let isInterrupted = Atomic(false)

  /// - Parameter folder: where there is room; the system's temporary folders come second.
  /// - Throws: `.failed` when no temporary file can be made.
  package init(in folder: String) throws(CatalogueError) {
    setenv("SQLITE_TMPDIR", folder, 0)
    queue = try catching("the file to sort in") {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      }
      // An empty path is SQLite's name for a temporary file.
      let queue = try DatabaseQueue(path: "", configuration: configuration)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE item (
              arrival INTEGER PRIMARY KEY, place INTEGER, strip TEXT, class INTEGER, number REAL,
              text BLOB, line INTEGER, brought INTEGER, json TEXT)
            """)
      }
      return queue
    }
  }

  /// Takes the items that `fill` gives, each with the line it stood on.
  ///
  /// - Complexity: O(*n*) writes.
  package func take(
    _ fill: (_ add: (ReadItem, Int) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try catching("the file to sort in") {
      try queue.write { db in
        let insert = try db.makeStatement(
          sql: """
            INSERT INTO item (place, strip, class, number, text, line, brought, json)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        var places: [String: Int] = [:]
        try fill { read, line throws(CatalogueError) in
          guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
          let key = read.order.columns
          var place = 0
          if let strip = read.strip {
            place = places[strip] ?? places.count
            places[strip] = place
          }
          try catching("the file to sort in") {
            try insert.execute(arguments: [
              place, read.strip, key.rank, key.number, key.text, line, read.wasBroughtIntoRange,
              String(decoding: read.item.json, as: UTF8.self),
            ])
          }
        }
      }
    }
  }

  /// Gives the items in order, each with the line it stood on.
  ///
  /// - Complexity: O(*n* log *n*).
  package func giveInOrder(
    _ body: (ReadItem, Int) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    try catching("the file to sort in") {
      try queue.read { db in
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT json, strip, line, brought FROM item
            ORDER BY place, class, number, text, arrival
            """)
        while let row = try rows.next() {
          let json: String = try row.required("json")
          let read = ReadItem(
            item: try Item(json: Array(json.utf8)), strip: try row.optional("strip"),
            wasBroughtIntoRange: try row.required("brought"))
          try body(read, try row.required("line"))
        }
      }
    }
  }

  /// Ends taking or giving from another thread, with `.interrupted`.
  package func interrupt() {
    isInterrupted.store(true, ordering: .sequentiallyConsistent)
    queue.interrupt()
  }
}

extension SortKey {
  /// Columns that SQLite orders as the keys are ordered.
  fileprivate var columns: (rank: Int, number: Double?, text: Data?) {
    switch self {
    case .number(let number): (0, number, nil)
    case .text(let text): (1, nil, Data(text))
    case .empty: (2, nil, nil)
    }
  }
}
