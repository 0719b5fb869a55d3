import Foundation
import GRDB
import Items
import Windowing

/// What the items of one edition say: rows of `item`, read when they are asked for.
struct StoredItems: ItemSource {
  let database: SQLiteReaders
  /// The number of the strip's row; it is gone when the strip has been replaced.
  let strip: Int64
  let name: String
  let revision: Int64
  let kinds: [String]
  let positions: Positions

  func contents(of range: Range<Int>) throws(CatalogueError) -> [ItemContent] {
    try rows(range, sql: Self.contentSQL) { row in
      ItemContent(id: try row.text(0), fields: try row.fields(1))
    }
  }

  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    try rows(range, sql: Self.itemSQL) { row in
      let kind: Int = try row.required("kind")
      guard kinds.indices ~= kind else {
        throw CatalogueError.corrupt("an item is of kind \(kind), and there is none")
      }
      return try Item(
        id: row.text(0), kind: kinds[kind],
        aspect: row.optional("aspect").map(Aspect.init(units:)),
        width: row.optional("width").map(Length.init(units:)), group: row.optional("group"),
        fields: row.fields(1))
    }
  }

  func index(of id: String) throws(CatalogueError) -> Int? {
    let position = try database.readOnce { db in
      try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT position FROM item WHERE strip = ? AND id = ?"),
        arguments: [strip, id])
    }
    return position.flatMap(positions.index(of:))
  }

  private static let contentSQL = """
    SELECT id, fields FROM item WHERE strip = ? AND position BETWEEN ? AND ? ORDER BY position
    """

  private static let itemSQL = """
    SELECT id, fields, kind, aspect, width, "group" FROM item
    WHERE strip = ? AND position BETWEEN ? AND ? ORDER BY position
    """

  /// Reads the rows of `range`, which lie together.
  private func rows<Element>(
    _ range: Range<Int>, sql: String, _ element: (Row) throws -> Element
  ) throws(CatalogueError) -> [Element] {
    guard !range.isEmpty else { return [] }
    precondition(0..<positions.count ~= range.lowerBound && range.upperBound <= positions.count)
    let (first, last) = (positions[range.lowerBound], positions[range.upperBound - 1])
    return try database.readOnce { db in
      var elements: [Element] = []
      elements.reserveCapacity(range.count)
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: sql), arguments: [strip, first, last])
      do {
        while let row = try rows.next() { elements.append(try element(row)) }
      } catch CatalogueError.corrupt(let sentence), CatalogueError.invalid(let sentence) {
        let index = range.lowerBound + elements.count
        throw CatalogueError.corrupt(
          "\(database.path): item \(index) of the strip \"\(name)\" is damaged: \(sentence)")
      }
      guard elements.count == range.count else { throw try missing(range, db) }
      return elements
    }
  }

  /// Why rows are missing: the strip has been replaced, or they are lost.
  private func missing(_ range: Range<Int>, _ db: Database) throws -> CatalogueError {
    let isThere = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT * FROM strip WHERE number = ?)", arguments: [strip])
    guard isThere == true else { return .revisionGone(revision) }
    return .corrupt(
      "\(database.path): of the items \(range.lowerBound) to \(range.upperBound - 1) of the strip "
        + "\"\(name)\" some are missing")
  }
}

extension Row {
  fileprivate func text(_ column: Int) throws -> String {
    try withUnsafeData(atIndex: column) { data in
      guard let data, let text = String(validating: data, as: UTF8.self) else {
        throw CatalogueError.corrupt("its text is not UTF-8")
      }
      return text
    }
  }

  fileprivate func fields(_ column: Int) throws -> Fields {
    try withUnsafeData(atIndex: column) { data in
      guard let data, let fields = Fields(stored: Array(data)) else {
        throw CatalogueError.corrupt("its fields are no JSON object")
      }
      return fields
    }
  }
}
