import Items
import Synchronization
import Views
import Windowing

/// The items of one snapshot: rows of `item` and `item_history`, read on demand.
struct SQLItemSource: ItemSource {
  let reader: SnapshotReader
  /// The strip at the snapshot's revision.
  let strip: StripRow
  let sortKeys: SortKeys
  let changedSortKeys: ChangedSortKeys?
  let memory: [MemoryReservation]

  func read(
    at requested: [Int64], _ mode: ReadMode, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    var rest = requested
    if let windows = reader.database.windowReader {
      let count = windows.read(requested, of: strip.number, at: strip.revision, body)
      guard count < requested.count else { return true }
      guard mode == .mayBlock else { return false }
      rest.removeFirst(count)
    }
    var contents = cached(rest)
    if contents == nil, mode == .mayBlock { contents = try fetch(rest) }
    guard let contents else { return false }
    for content in contents { content.withBytes(body) }
    return true
  }

  /// The most items of a read that fills the cache. Longer reads are for columns, and would evict the items that windows
  /// need.
  private static let longestCachedRead = 2000

  private func fetch(_ requested: [Int64]) throws(CatalogueError) -> [ItemContent] {
    let entries = try read(requested) { row, newest in
      let lastRevision = try row.optionalInteger(ItemRows.columns.count)
      return ItemContentCache.Entry(
        content: try row.content(of: strip), firstRevision: try row.integer(.firstRevision),
        lastRevision: lastRevision ?? newest, isSuperseded: lastRevision != nil)
    }
    if let changedSortKeys, requested.count <= Self.longestCachedRead {
      reader.contents?.store(entries, at: requested, changedSortKeys)
    }
    return entries.map(\.content)
  }

  private func cached(_ sortKeys: [Int64]) -> [ItemContent]? {
    changedSortKeys.flatMap { reader.contents?.find(sortKeys, at: strip.revision, $0) }
  }

  func items(at requested: [Int64]) throws(CatalogueError) -> [Item] {
    try read(requested) { row, _ in try row.item(of: strip) }
  }

  var hasIndicesInMemory: Bool { false }

  func indices(of ids: [String]) throws(CatalogueError) -> [Int?] {
    try reader.database.read { session in
      try withStripContext(of: strip.name) { try indices(of: ids, session) }
    }
  }

  private func indices(of ids: [String], _ session: any SQLSession) throws -> [Int?] {
    var found = [Int?](repeating: nil, count: ids.count)
    // No id has a NUL character, which PostgreSQL rejects.
    var absent = ids.indices.filter { !ids[$0].utf8.contains(0) }
    for (rows, values) in [
      ("item WHERE strip = $1 AND id = $2", [SQLValue.integer(strip.number)]),
      (
        """
        \(session.dialect.itemHistory) AND id = $3 AND first_revision <= $2
        ORDER BY last_revision LIMIT 1
        """, [.integer(strip.number), .integer(strip.revision)]
      ),
    ] where !absent.isEmpty {
      try session.run(
        "SELECT \(ItemRows.columnList) FROM \(rows)",
        forEach: absent.map { values + [.text(ids[$0])] }
      ) { number, row in
        found[absent[number]] = try row.verified(as: ids[absent[number]], of: strip) {
          guard try row.integer(.firstRevision) <= strip.revision else { return nil }
          guard let index = sortKeys.index(of: try row.integer(.sortKey)) else {
            throw CatalogueError.corrupt("the layout has no item at its sort key")
          }
          return index
        }
      }
      absent.removeAll { found[$0] != nil }
    }
    guard !absent.isEmpty else { return found }
    // The rows of a revision that is gone may be deleted.
    let readable = try session.first(
      "SELECT 1 FROM strip WHERE number = $1 AND oldest_revision <= $2",
      [.integer(strip.number), .integer(strip.revision)]
    ) { _ in true }
    guard readable != nil else { throw CatalogueError.revisionGone(strip.revision) }
    return found
  }

  /// Reads the rows at the sort keys `requested`, in this order, as they were at the revision. `element` gets a row with
  /// the columns of `ItemColumn` and `last_revision`, and the strip's newest revision.
  ///
  /// - Throws: `.revisionGone` if the revision can no longer be read; `.corrupt`, which names the item.
  private func read<Element>(
    _ requested: [Int64], _ element: (any SQLRow, _ newest: Int64) throws -> Element
  ) throws(CatalogueError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(requested.count)
    while elements.count < requested.count {
      let count = elements.count
      // One statement for each run of neighbours.
      let runs = count == 0 ? sortKeys.runs(of: requested) : [count..<requested.count]
      try reader.database.readStatement { session in
        // This runs again on another connection if the first one is lost.
        elements.removeSubrange(count...)
        var newest: Int64?
        try withCorruptionContext(of: strip.name) {
          _ = try session.run(
            Self.sql(session.dialect),
            forEach: runs.map { run in
              [
                .integer(strip.number), .integer(strip.revision),
                .integer(requested[run.lowerBound]), .integer(requested[run.upperBound - 1]),
                .integer(8 * run.count + 1000),
              ]
            }
          ) { _, row in
            if row.isNull(0) {
              newest = try row.integer(ItemRows.columns.count)
              return
            }
            let sortKey = try row.integer(.sortKey)
            if elements.count > 0, sortKey == requested[elements.count - 1] {
              throw CatalogueError.damaged(
                "the item at the sort key \(sortKey)", of: strip.name,
                "two rows are of the revision \(strip.revision)")
            }
            if let newest, elements.count < requested.count, sortKey == requested[elements.count] {
              elements.append(try element(row, newest))
            }
          }
        }
        guard newest != nil else { throw CatalogueError.revisionGone(strip.revision) }
      }
      guard elements.count > count else { throw missing(requested[count]) }
    }
    return elements
  }

  /// The error for a sort key without a row. It names a damaged row nearby, if there is one.
  private func missing(_ sortKey: Int64) -> CatalogueError {
    let index = sortKeys.index(of: sortKey) ?? 0
    let low = index > 0 ? sortKeys[index - 1] : .min
    let high = index + 1 < sortKeys.count ? sortKeys[index + 1] : .max
    do throws(CatalogueError) {
      try reader.database.readStatement { session in
        _ = try session.run(
          """
          SELECT \(ItemRows.columnList) FROM item
          WHERE strip = $1 AND sort_key > $2 AND sort_key < $3 LIMIT 100
          """, [.integer(strip.number), .integer(low), .integer(high)]
        ) { row in _ = try row.content(of: strip) }
      }
    } catch {
      return error
    }
    return .damaged(
      "the item at the sort key \(sortKey)", of: strip.name,
      "it has no row of the revision \(strip.revision)")
  }

  /// The rows between two sort keys that were valid at a revision, in one statement, so that all are of one moment. The
  /// first row has no sort key, and is there only if the revision can still be read.
  private static func sql(_ dialect: SQLDialect) -> String {
    """
    SELECT NULL AS sort_key\(String(repeating: ", NULL", count: ItemRows.columns.count - 1)), revision
    FROM strip WHERE number = $1 AND $2 >= oldest_revision AND (
      revision = $2 OR EXISTS (SELECT 1 FROM revision AS log WHERE log.strip = $1 AND previous = $2))
    UNION ALL
    SELECT \(ItemRows.columnList), last_revision FROM \(dialect.itemHistory)
      AND sort_key BETWEEN $3 AND $4 AND first_revision <= $2
    UNION ALL
    SELECT \(ItemRows.columnList), NULL FROM item
    WHERE strip = $1 AND sort_key BETWEEN $3 AND $4 AND first_revision <= $2
    ORDER BY sort_key NULLS FIRST LIMIT $5
    """
  }
}
