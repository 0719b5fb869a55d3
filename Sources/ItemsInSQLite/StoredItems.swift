import Catalogue
import Foundation
import GRDB
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
    try database.readOnce { db in
      try rows(range, sql: Self.contentSQL, db) { try StoredItem.content($0) }
    }
  }

  func read(_ range: Range<Int>, _ take: (ItemBytes) -> Void) throws(CatalogueError) {
    let read = try database.read(positions[range], of: strip, at: revision, take)
    let rest = range.dropFirst(read)
    guard !rest.isEmpty else { return }
    try database.readOnce { db in
      _ = try rows(rest, sql: Self.contentSQL, db) { try StoredItem.lend($0, to: take) }
    }
  }

  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    try database.readOnce { db in try items(in: range, db) }
  }

  /// The items in `range`, read on a connection of the caller's.
  func items(in range: Range<Int>, _ db: Database) throws -> [Item] {
    try rows(range, sql: Self.itemSQL, db) { try StoredItem.item($0, kinds: kinds) }
  }

  func index(of id: String) throws(CatalogueError) -> Int? {
    let candidates = try database.readOnce { db in
      try Int64.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT position FROM item WHERE strip = ?1 AND id = ?2
            UNION SELECT position FROM \(Schema.rowsOfThePast) AND id = ?2
            """), arguments: [strip, id, nil, revision])
    }
    // An item may have stood elsewhere since, and another in its place.
    for index in candidates.compactMap(positions.index(of:)) {
      guard let found = try contents(of: index..<index + 1).first else { continue }
      if found.id.utf8.elementsEqual(id.utf8) { return index }
    }
    return nil
  }

  private static let contentSQL = sql("id, fields")
  private static let itemSQL = sql(StoredItem.columns)

  /// The rows between two positions, each with all that came after it, by position; before them one
  /// row without a position that says that the revision is held.
  ///
  /// One statement reads of one moment: nothing is forgotten between the row that says so and the
  /// others.
  private static func sql(_ columns: String) -> String {
    let none = columns.split(separator: ", ").map { "NULL AS \($0)" }
    return """
      SELECT \(none.joined(separator: ", ")), NULL AS position, 0 AS until FROM strip
      WHERE number = ?1 AND (revision = ?4
        OR EXISTS (SELECT * FROM past_strip WHERE strip = ?1 AND past_strip.until = ?4))
      UNION ALL
      SELECT \(columns), position, past_item.until FROM \(Schema.rowsOfThePast)
        AND position BETWEEN ?2 AND ?3
      UNION ALL
      SELECT \(columns), position, 9223372036854775807 FROM item
      WHERE strip = ?1 AND position BETWEEN ?2 AND ?3
      ORDER BY position, until
      """
  }

  /// Reads the rows of `range`, which lie together.
  private func rows<Element>(
    _ range: Range<Int>, sql: String, _ db: Database,
    _ element: (DirectStatement) throws -> Element
  ) throws -> [Element] {
    guard !range.isEmpty else { return [] }
    precondition(0..<positions.count ~= range.lowerBound && range.upperBound <= positions.count)
    let wanted = positions[range]
    var elements: [Element] = []
    elements.reserveCapacity(range.count)
    do {
      while elements.count < wanted.count {
        let taken = elements.count
        try read(wanted[taken...], sql, db) { row in elements.append(try element(row)) }
        guard elements.count > taken else { break }
      }
    } catch CatalogueError.corrupt(let sentence), CatalogueError.invalid(let sentence) {
      let index = range.lowerBound + elements.count
      throw CatalogueError.corrupt(
        "\(path): item \(index) of the strip \"\(name)\" is damaged: \(sentence)")
    }
    guard elements.count == range.count else { throw missing(range) }
    return elements
  }

  /// Reads the rows at these positions, or the first of them where too much stands between.
  ///
  /// - Throws: `.revisionGone` where the revision is no longer held.
  private func read(
    _ wanted: ArraySlice<Int64>, _ sql: String, _ db: Database,
    _ take: (DirectStatement) throws -> Void
  ) throws {
    var wanted = wanted
    guard let first = wanted.first, let last = wanted.last else { return }
    let rows = try DirectStatement(db, sql)
    rows.bind(1, strip)
    rows.bind(2, first)
    rows.bind(3, last)
    rows.bind(4, revision)
    defer { rows.reset() }
    let position = rows.count - 2
    guard try rows.next(), rows.isNull(position) else {
      throw CatalogueError.revisionGone(revision)
    }
    // Rows of other revisions, which may be many where a great deal was put between two items.
    var passed = 0
    while let next = wanted.first, passed < 1000, try rows.next() {
      guard rows.integer(position) == next else {
        passed += 1
        continue
      }
      try take(rows)
      wanted.removeFirst()
    }
  }

  private var path: String { database.path }

  private func missing(_ range: Range<Int>) -> CatalogueError {
    .corrupt(
      "\(path): of the items \(range.lowerBound) to \(range.upperBound - 1) of the strip "
        + "\"\(name)\" some are missing")
  }
}
