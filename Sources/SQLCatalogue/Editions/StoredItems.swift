import Catalogue
import Windowing

/// What the items of one edition say: rows of `item` and `past_item`, read when they are asked for.
struct StoredItems: ItemSource {
  let reader: EditionReader
  let strip: Int64
  let name: String
  let revision: Int64
  let kinds: [String]
  let positions: Positions
  let touched: TouchedPositions

  func cachedRead(_ range: Range<Int>, _ take: (ItemBytes) -> Void) -> Bool {
    let wanted = positions[checked(range)]
    if let windows = reader.database.windowReader {
      return windows.read(wanted, of: strip, at: revision, take) == wanted.count
    }
    guard let contents = reader.contents?.find(wanted, at: revision, touched) else { return false }
    for content in contents { ItemBytes.lend(content.id, content.fields, to: take) }
    return true
  }

  func read(_ range: Range<Int>, _ take: (ItemBytes) -> Void) throws(CatalogueError) {
    let wanted = positions[checked(range)]
    let count = reader.database.windowReader?.read(wanted, of: strip, at: revision, take) ?? 0
    for content in try contents(of: range.dropFirst(count)) {
      ItemBytes.lend(content.id, content.fields, to: take)
    }
  }

  func contents(of range: Range<Int>) throws(CatalogueError) -> [ItemContent] {
    let wanted = positions[checked(range)]
    if let found = reader.contents?.find(wanted, at: revision, touched) { return found }
    let entries = try read(range, wanted) { row, newest in
      let until = try row.optionalInteger(ItemRows.readCount)
      return ItemContentCache.Entry(
        content: try ItemRows.content(row), since: try row.integer(ItemRows.since),
        until: until ?? newest, isSuperseded: until != nil)
    }
    reader.contents?.store(entries, at: wanted, touched)
    return entries.map(\.content)
  }

  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    try read(range, positions[checked(range)]) { row, _ in
      try ItemRows.item(row, kinds: kinds)
    }
  }

  func cachedIndex(of id: String) -> CachedIndex { .unknown }

  func index(of id: String) throws(CatalogueError) -> Int? {
    guard !id.utf8.contains(0) else { return nil }
    let found = try reader.database.read { session -> Int64? in
      let stored = try session.first(
        "SELECT position FROM item WHERE strip = $1 AND id = $2 AND since <= $3",
        [.integer(strip), .text(id), .integer(revision)]
      ) { try $0.integer(0) }
      return try stored
        ?? session.first(
          """
          SELECT position FROM \(session.dialect.pastItems) AND id = $3 AND since <= $2
          ORDER BY until LIMIT 1
          """, [.integer(strip), .integer(revision), .text(id)]
        ) { try $0.integer(0) }
    }
    return found.flatMap { positions.index(of: $0) }
  }

  private func checked(_ range: Range<Int>) -> Range<Int> {
    precondition(range.lowerBound >= 0 && range.upperBound <= positions.count)
    return range
  }

  /// Reads the rows at `wanted`, in order, as they were at the revision.
  ///
  /// - Parameter element: gets a row of `ItemRows.readColumns` and `until`, and the strip's newest revision.
  /// - Throws: `.revisionGone` if the revision can no longer be read; `.corrupt`, which names the item.
  private func read<Element>(
    _ range: Range<Int>, _ wanted: [Int64],
    _ element: (any SQLRow, _ newest: Int64) throws -> Element
  ) throws(CatalogueError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(wanted.count)
    while elements.count < wanted.count {
      let count = elements.count
      try reader.database.readStatement { session in
        var newest: Int64?
        try session.run(
          Self.sql(session.dialect),
          [
            .integer(strip), .integer(revision), .integer(wanted[count]),
            .integer(wanted[wanted.count - 1]), .integer(8 * wanted.count + 1000),
          ]
        ) { row in
          if row.isNull(0) {
            newest = try row.integer(ItemRows.readCount)
          } else if let newest, elements.count < wanted.count,
            try row.integer(0) == wanted[elements.count]
          {
            let index = range.lowerBound + elements.count
            elements.append(try naming(index) { try element(row, newest) })
          }
        }
        guard newest != nil else { throw CatalogueError.revisionGone(revision) }
      }
      guard elements.count > count else {
        throw CatalogueError.corrupt(
          "\(reader.database.name): of the items \(range.lowerBound) to \(range.upperBound - 1) "
            + "of the strip \"\(name)\" some are missing")
      }
    }
    return elements
  }

  /// The rows between two positions that were valid at a revision, in order. Before them comes a row without
  /// a position if the revision can be read. Both are one statement, so they see the same moment.
  private static func sql(_ dialect: SQLDialect) -> String {
    """
    SELECT NULL AS position\(String(repeating: ", NULL", count: ItemRows.readCount - 1)), revision
    FROM strip WHERE number = $1 AND $2 BETWEEN oldest_revision AND revision
    UNION ALL
    SELECT \(ItemRows.readColumns), until FROM \(dialect.pastItems)
      AND position BETWEEN $3 AND $4 AND since <= $2
    UNION ALL
    SELECT \(ItemRows.readColumns), NULL FROM item
    WHERE strip = $1 AND position BETWEEN $3 AND $4 AND since <= $2
    ORDER BY position NULLS FIRST LIMIT $5
    """
  }

  private func naming<Element>(_ index: Int, _ body: () throws -> Element) throws -> Element {
    do {
      return try body()
    } catch CatalogueError.corrupt(let sentence), CatalogueError.invalid(let sentence) {
      throw CatalogueError.corrupt(
        "\(reader.database.name): item \(index) of the strip \"\(name)\" is damaged: \(sentence)")
    }
  }
}
