import Catalogue

/// What the items of one edition say: from the cache, or from rows of `item` and `past_item`.
struct StoredItems: ItemSource {
  let database: PostgresReader
  /// The number of the strip's row; it is gone when the strip has been replaced.
  let strip: Int64
  let name: String
  let revision: Int64
  let kinds: [String]
  let positions: Positions
  /// What the cache calls the strip.
  let load: Int
  let touched: TouchedPositions
  let mode: ReadMode

  func contents(of range: Range<Int>) throws(CatalogueError) -> [ItemContent] {
    let wanted = positions[checked(range)]
    let known = database.cache.find(wanted, of: load, at: revision, touched)
    if let known { return known }
    guard mode == .mayBlock else { throw .wouldBlock }
    let read = try read(range, wanted) { row, held in
      let until = try row.optionalInteger(7)
      return (
        position: try StoredItem.position(row),
        entry: ContentCache.Entry(
          content: try StoredItem.content(row), since: try row.integer(8),
          until: until.map { .past($0) } ?? .present(held))
      )
    }
    database.cache.keep(read, of: load)
    return read.map(\.entry.content)
  }

  func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    guard mode == .mayBlock else { throw .wouldBlock }
    return try read(range, positions[checked(range)]) { row, _ in
      try StoredItem.item(row, kinds: kinds)
    }
  }

  func index(of id: String) throws(CatalogueError) -> Int? {
    guard mode == .mayBlock else { throw .wouldBlock }
    let found = try database.sessions.read { session in
      try session.run(
        """
        SELECT position FROM item WHERE strip = $1 AND id = $2 AND since <= $3
        UNION ALL
        SELECT position FROM past_item
        WHERE strip = $1 AND id = $2 AND since <= $3 AND until >= $3
        """, [.integer(strip), .text(id), .integer(revision)]
      ).first { try $0.integer(0) }
    }
    return found.flatMap { positions.index(of: $0) }
  }

  private func checked(_ range: Range<Int>) -> Range<Int> {
    precondition(range.lowerBound >= 0 && range.upperBound <= positions.count)
    return range
  }

  /// Reads the rows at `wanted`, in order, the way they were at the revision.
  ///
  /// - Parameter element: makes something of a row; is told at which revision the strip was read.
  /// - Throws: `.revisionGone` where the revision is no longer held.
  private func read<Element>(
    _ range: Range<Int>, _ wanted: [Int64], _ element: (Row, Int64) throws -> Element
  ) throws(CatalogueError) -> [Element] {
    guard let first = wanted.first, let last = wanted.last else { return [] }
    return try database.sessions.read { session in
      // One statement reads of one moment: nothing is forgotten between the row that says up to
      // where the strip is, which comes first, and the others.
      let rows = try session.run(
        """
        SELECT NULL::bigint AS position, NULL AS id, NULL::json AS fields, NULL::bigint AS kind,
          NULL::bigint AS aspect, NULL::bigint AS width, NULL AS "group", NULL::bigint AS until,
          revision AS since FROM strip
        WHERE number = $1 AND (revision = $4
          OR EXISTS (SELECT FROM past_strip WHERE past_strip.strip = $1 AND until = $4))
        UNION ALL
        SELECT position, id, fields, kind, aspect, width, "group", NULL, since FROM item
        WHERE strip = $1 AND position BETWEEN $2 AND $3 AND since <= $4
        UNION ALL
        SELECT position, id, fields, kind, aspect, width, "group", until, since FROM past_item
        WHERE strip = $1 AND position BETWEEN $2 AND $3 AND since <= $4 AND until >= $4
        ORDER BY position NULLS FIRST
        """, [.integer(strip), .integer(first), .integer(last), .integer(revision)])
      var held: Int64?
      var elements: [Element] = []
      _ = try rows.map { row in
        if row.isNull(0) {
          held = try row.integer(8)
        } else if let held, elements.count < wanted.count,
          try StoredItem.position(row) == wanted[elements.count]
        {
          elements.append(try naming(range.lowerBound + elements.count) { try element(row, held) })
        }
      }
      guard held != nil else { throw CatalogueError.revisionGone(revision) }
      guard elements.count == wanted.count else {
        throw CatalogueError.corrupt(
          "\(database.address): of the items \(range.lowerBound) to \(range.upperBound - 1) of the "
            + "strip \"\(name)\" some are missing")
      }
      return elements
    }
  }

  private func naming<Element>(_ index: Int, _ body: () throws -> Element) throws -> Element {
    do {
      return try body()
    } catch CatalogueError.corrupt(let sentence), CatalogueError.invalid(let sentence) {
      throw CatalogueError.corrupt(
        "\(database.address): item \(index) of the strip \"\(name)\" is damaged: \(sentence)")
    }
  }
}
