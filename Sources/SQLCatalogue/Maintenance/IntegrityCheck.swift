import Catalogue
package import Items
import Views
import Windowing

/// Looks for damage: by the database's own check, by the checksums of all rows, and by comparing the geometry and the
/// sums with the items, the change log with `item_history`, and `garbage` with the rows that strips need.
package struct IntegrityCheck {
  package static let limit = 100

  package private(set) var faults: [String] = []
  /// The number of items.
  package private(set) var count = 0

  /// - Throws: `.unavailable` if the database cannot be read.
  /// - Complexity: O(rows), one transaction for each strip. Writers do not wait.
  package init(_ database: any SQLDatabase) throws(CatalogueError) {
    let names = try database.read { session in
      for fault in try database.structureFaults(limit: Self.limit, session) { add(fault) }
      for fault in try DeletionQueue.faults(session) { add(fault) }
      try session.run(
        """
        SELECT name, strip FROM list WHERE strip NOT IN (SELECT name FROM strip)
          AND strip NOT IN (SELECT name FROM removed_strip)
        """, []
      ) { row in
        add(
          "the list \"\(try row.text(0))\" is of the strip \"\(try row.text(1))\", which is not there"
        )
      }
      return try session.map("SELECT name FROM strip ORDER BY place") { try $0.text(0) }
    }
    for name in names {
      // A copy: a read can run twice if the connection is lost.
      self = try database.read { session in
        var check = self
        _ = try check.recording { try $0.check(name, session) }
        return check
      }
    }
  }

  private mutating func check(_ name: String, _ session: any SQLSession) throws {
    guard let row = try StripRow.fetch(session, name: name) else {
      let names = try session.map("SELECT name FROM strip ORDER BY place") { try $0.text(0) }
      // Either the strip was removed, or its name is damaged: then the table has the name, and the index does not.
      if names.contains(name) { add("the strip \"\(name)\" is not found by its name") }
      return
    }
    let indexed = try recording { _ in try GeometryLoader.load(row, session) }
    try checkItems(of: row, indexed, session)
    try recording { try $0.checkChangeLog(of: row, session) }
    let lists = try session.map("SELECT name FROM list WHERE strip = $1", [.text(name)]) {
      try $0.text(0)
    }
    for list in lists {
      _ = try recording { _ in try ListRows.fetch(list, of: name, session) }
    }
  }

  private mutating func checkItems(
    of row: StripRow, _ indexed: IndexedStrip?, _ session: any SQLSession
  ) throws {
    var sums = StripTotals()
    var index = 0
    var sortKey = Int64.min
    var isAtEnd = false
    while !isAtEnd {
      isAtEnd = true
      try session.run(
        """
        SELECT \(ItemRows.columnList) FROM item
        WHERE strip = $1 AND sort_key > $2 ORDER BY sort_key LIMIT 4096
        """, [.integer(row.number), .integer(sortKey)]
      ) { stored in
        isAtEnd = false
        defer { index += 1 }
        let before = sortKey
        sortKey = try stored.integer(.sortKey)
        guard sortKey > before else {
          isAtEnd = true  // The next page would begin among the items that were read.
          return add("item \(index) of the strip \"\(row.name)\" has a damaged sort key")
        }
        try recording { _ in
          let item = try stored.item(of: row)
          let state = try stored.size(kinds: row.kinds.count)
          sums.add(state.item)
          guard let indexed else { return }
          guard index < indexed.strip.count, indexed.sortKeys[index] == sortKey,
            indexed.strip[index]
              == state.item.item(itemWidth: row.settings.itemWidth, kinds: row.kinds.count),
            (indexed.strip.groupRun(at: index)?.title).isSameGroup(as: state.group)
          else {
            throw CatalogueError.damaged(
              "the item \"\(item.id)\"", of: row.name, "it differs from the layout")
          }
        }
      }
    }
    count += index
    if let indexed, index != indexed.strip.count {
      add("the strip \"\(row.name)\" has \(index) items, its layout \(indexed.strip.count)")
    }
    if sums != row.totals {
      add("the strip \"\(row.name)\" has stored sums that differ from its items")
    }
  }

  /// Looks for gaps in the change log, and compares it with the superseded items.
  private mutating func checkChangeLog(of row: StripRow, _ session: any SQLSession) throws {
    /// The superseded items, by their last revision and their sort key.
    var past: [Int64: [Int64: GeometryChange.State]] = [:]
    try session.run(
      """
      SELECT \(ItemRows.columnList), last_revision FROM item_history
      WHERE strip = $1 AND last_revision >= $2
      """, [.integer(row.number), .integer(row.oldestRevision)]
    ) { stored in
      let revision = try stored.integer(ItemRows.columns.count)
      try recording { _ in
        let content = try stored.content(of: row)
        past[revision, default: [:]][try stored.integer(.sortKey)] =
          try withCorruptionContext(
            "the item \"\(content.id)\" at the revision \(revision)", of: row.name
          ) {
            try stored.size(kinds: KindName.maximumCount)
          }
      }
    }
    var next = min(row.oldestRevision, row.layoutRevision)
    for entry in try RevisionRow.fetch(of: row, after: next..<row.revision, session) {
      if entry.previous != next { addGap(after: next, row) }
      next = entry.revision
      guard entry.previous >= row.oldestRevision else { continue }
      let changed = (0..<entry.changes.count).map { entry.changes[$0] }
      let before = changed.compactMap { change in change.before.map { (change.sortKey, $0) } }
      let found = past.removeValue(forKey: entry.previous) ?? [:]
      if found != Dictionary(before, uniquingKeysWith: { $1 }) {
        addMissing(at: entry.previous, row)
      }
    }
    if next != row.revision { addGap(after: next, row) }
    for revision in past.keys.sorted() { addMissing(at: revision, row) }
    let forgotten = try session.first(
      """
      SELECT 1 FROM item_history WHERE strip = $1 AND last_revision < $2 AND NOT EXISTS (
        SELECT 1 FROM garbage
        WHERE garbage.strip = $1 AND garbage.last_revision >= item_history.last_revision) LIMIT 1
      """, [.integer(row.number), .integer(row.oldestRevision)]
    ) { _ in true }
    if forgotten != nil {
      add("the strip \"\(row.name)\" has superseded items that are older than its oldest revision")
    }
  }

  private mutating func addGap(after revision: Int64, _ row: StripRow) {
    add("the change log of the strip \"\(row.name)\" has a gap after revision \(revision)")
  }

  private mutating func addMissing(at revision: Int64, _ row: StripRow) {
    add(
      "of the strip \"\(row.name)\" at revision \(revision) superseded items are missing, or differ "
        + "from the change log")
  }

  /// Adds an error of damage. Throws others, which prevent the check.
  @discardableResult
  private mutating func recording<Value>(
    _ body: (inout IntegrityCheck) throws -> Value
  ) throws -> Value? {
    do {
      return try body(&self)
    } catch CatalogueError.corrupt(let sentence, _) {
      add(sentence)
      return nil
    }
  }

  private mutating func add(_ sentence: String) {
    if faults.count < Self.limit, !faults.contains(sentence) { faults.append(sentence) }
  }
}
