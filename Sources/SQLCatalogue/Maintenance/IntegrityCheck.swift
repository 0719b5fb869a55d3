package import Catalogue
import Windowing

/// Looks through a database for damage.
///
/// The database checks its own structure. This compares the tables of each strip: the layout with the
/// items, the sums with the items, the log with `past_item`, and each item's `first_revision` with the log.
/// It compares `purge` with the rows that strips need. It reads every item whole, and parses its fields.
/// It cannot find an id or fields that another valid value replaced.
package struct IntegrityCheck {
  /// No more faults are reported.
  package static let limit = 100

  /// A sentence each; none if all is well.
  package private(set) var faults: [String] = []
  /// How many items there are.
  package private(set) var count = 0

  /// - Throws: `.unavailable` if the database cannot be read.
  /// - Complexity: reads everything once, a strip in one transaction. Writers do not wait.
  package init(_ database: any SQLDatabase) throws(CatalogueError) {
    let names = try database.read { session in
      for fault in try database.structureFaults(limit: Self.limit, session) { add(fault) }
      for fault in try Purge.faults(session) { add(fault) }
      return try session.map("SELECT name FROM strip ORDER BY place") { try $0.text(0) }
    }
    for name in names {
      do throws(CatalogueError) {
        // A copy: a read can run twice if the connection is lost.
        self = try database.read { session in
          var check = self
          try check.check(name, session)
          return check
        }
      } catch {
        try add(error)
      }
    }
  }

  private mutating func check(_ name: String, _ session: any SQLSession) throws {
    guard let row = try StripRow.fetch(session, name: name) else { return }
    let placed: KeyedStrip
    do {
      placed = try LayoutLoader.load(row, session)
    } catch CatalogueError.corrupt(let sentence) {
      throw CatalogueError.corrupt("the strip \"\(name)\" is damaged: \(sentence)")
    }
    let knownCount = faults.count
    let revisions = try checkLog(of: row, placed, session)
    // A damaged log would be a fault of each item that it names.
    try checkItems(of: row, placed, faults.count == knownCount ? revisions : nil, session)
    guard row.columns != nil else { return }
    let columns = try ColumnStore.fetch(
      row, at: row.revision, placed.positions, row.settings, session)
    if columns == nil {
      add("the stored columns of the strip \"\(name)\" are damaged; a server rebuilds them")
    }
  }

  /// Compares the newest layout with the items.
  ///
  /// - Parameter revisions: what the log says of the items; nil if it is damaged.
  private mutating func checkItems(
    of row: StripRow, _ placed: KeyedStrip, _ revisions: ItemRevisions?, _ session: any SQLSession
  ) throws {
    var sums = StripTotals()
    var index = 0
    var position = Int64.min
    while true {
      var rowCount = 0
      let groups = placed.strip.groups(from: index)
      try session.run(
        """
        SELECT \(ItemRows.readColumns) FROM item
        WHERE strip = $1 AND position > $2 ORDER BY position LIMIT 4096
        """, [.integer(row.number), .integer(position)]
      ) { stored in
        rowCount += 1
        position = try stored.integer(0)
        defer { index += 1 }
        let wanted = groups.next()
        do {
          let state = try ItemRows.size(stored, kinds: row.kinds.count)
          sums.add(state.item)
          let item = try Self.item(stored, kinds: row.kinds)
          guard index < placed.strip.count, placed.positions[index] == position,
            placed.strip[index]
              == state.item.item(itemWidth: row.settings.itemWidth, kinds: row.kinds.count),
            (wanted ?? nil).isSameGroup(as: state.group)
          else {
            return add(
              "the item \"\(item.id)\" of the strip \"\(row.name)\" differs from the layout")
          }
          let first = try stored.integer(ItemRows.firstRevision)
          guard first <= row.revision, revisions?.allows(first, at: position) ?? true else {
            return add(
              "the item \"\(item.id)\" of the strip \"\(row.name)\" is of revision \(first), "
                + "but the log has another one")
          }
        } catch CatalogueError.corrupt(let sentence) {
          add("item \(index) of the strip \"\(row.name)\" is damaged: \(sentence)")
        }
      }
      if rowCount == 0 { break }
    }
    count += index
    if index != placed.strip.count {
      add("the strip \"\(row.name)\" has \(index) items, its layout \(placed.strip.count)")
    }
    if sums != row.totals {
      add("the strip \"\(row.name)\" has stored sums that differ from its items")
    }
  }

  /// Compares the log with the superseded items, and looks for gaps in it.
  ///
  /// - Returns: since when the items of the newest revision are as they are.
  private mutating func checkLog(
    of row: StripRow, _ placed: KeyedStrip, _ session: any SQLSession
  ) throws -> ItemRevisions {
    let first = min(row.oldestRevision, row.loggedRevision)
    let log = try session.map(
      """
      SELECT previous, revision, changes, appended_from FROM revision
      WHERE strip = $1 AND previous >= $2 ORDER BY previous
      """, [.integer(row.number), .integer(first)]
    ) {
      (
        previous: try $0.integer(0), revision: try $0.integer(1), changes: try $0.bytes(2),
        appendedFrom: try $0.optionalInteger(3)
      )
    }
    var revisions = ItemRevisions(first: first)
    var next = first
    for entry in log {
      if entry.previous != next {
        add("the log of the strip \"\(row.name)\" has a gap after revision \(next)")
      }
      next = entry.revision
      do {
        let changes = try LayoutChanges(bytes: entry.changes, appendedFrom: entry.appendedFrom)
        defer { revisions.add(changes, at: entry.revision) }
        guard entry.previous >= row.oldestRevision else { continue }
        if let earlier = try row.earlier(at: entry.previous, session), earlier.kinds != row.kinds {
          // Each item of that revision must have a kind with a name.
          var past = placed
          try past.undo(
            row.changes(after: entry.previous, upTo: row.revision, session),
            itemWidth: row.settings.itemWidth)
          try past.rename(kinds: earlier.kinds)
        }
        try checkPast(changes, revisions, at: entry.previous, of: row, session)
      } catch CatalogueError.corrupt(let sentence) {
        add("the log of the strip \"\(row.name)\" at revision \(entry.revision): \(sentence)")
      }
    }
    if next != row.revision {
      add("the log of the strip \"\(row.name)\" has a gap after revision \(next)")
    }
    let forgotten = try session.first(
      """
      SELECT 1 FROM past_item WHERE strip = $1 AND last_revision < $2 AND NOT EXISTS (
        SELECT 1 FROM purge
        WHERE purge.strip = $1 AND purge.last_revision >= past_item.last_revision) LIMIT 1
      """, [.integer(row.number), .integer(row.oldestRevision)]
    ) { _ in true }
    if forgotten != nil {
      add("the strip \"\(row.name)\" has superseded items that are older than its oldest revision")
    }
    return revisions
  }

  /// - Parameter revisions: what the log says of the items at `revision`.
  private mutating func checkPast(
    _ changes: LayoutChanges, _ revisions: ItemRevisions, at revision: Int64, of row: StripRow,
    _ session: any SQLSession
  ) throws {
    var found: [Int64: LayoutChange.State] = [:]
    try session.run(
      """
      SELECT \(ItemRows.readColumns) FROM past_item
      WHERE strip = $1 AND last_revision = $2 AND first_revision <= $2
      """, [.integer(row.number), .integer(revision)]
    ) { stored in
      let position = try stored.integer(0)
      found[position] = try ItemRows.size(stored, kinds: KindName.maximumCount)
      let first = try stored.integer(ItemRows.firstRevision)
      if !revisions.allows(first, at: position) {
        add(
          "of the strip \"\(row.name)\" at revision \(revision) the item at the position "
            + "\(position) is of revision \(first), but the log has another one")
      }
      // The names of the kinds of that revision do not matter here.
      _ = try Self.item(
        stored, kinds: Array(repeating: KindName.card, count: KindName.maximumCount))
    }
    for index in 0..<changes.count where found[changes[index].position] != changes[index].before {
      add(
        "of the strip \"\(row.name)\" at revision \(revision) the item at the position "
          + "\(changes[index].position) is missing, or differs from the log")
    }
    if found.count != (0..<changes.count).count(where: { changes[$0].before != nil }) {
      add(
        "of the strip \"\(row.name)\" at revision \(revision) the log does not have all "
          + "superseded items")
    }
  }

  /// Reads an item whole.
  private static func item(_ row: any SQLRow, kinds: [String]) throws -> Item {
    let item = try ItemRows.item(row, kinds: kinds)
    guard item.fields.isExact else {
      throw CatalogueError.corrupt(
        "the fields of the item \"\(item.id)\" are not in the form that is stored")
    }
    return item
  }

  /// Records an error as a fault; throws one that prevents the check.
  private mutating func add(_ error: CatalogueError) throws(CatalogueError) {
    switch error {
    case .corrupt(let sentence), .invalid(let sentence): add(sentence)
    case .noSuchStrip: return
    default: throw error
    }
  }

  private mutating func add(_ sentence: String) {
    if faults.count < Self.limit { faults.append(sentence) }
  }
}

/// Since which revision the log says that the item at each position is as it is.
private struct ItemRevisions {
  /// Items that the log does not name are of this revision or an earlier one.
  let first: Int64
  private var changed: [Int64: Int64] = [:]
  /// The appended items; positions ascend.
  private var tails: [(position: Int64, revision: Int64)] = []

  init(first: Int64) { self.first = first }

  mutating func add(_ changes: LayoutChanges, at revision: Int64) {
    if let appendedFrom = changes.appendedFrom { tails.append((appendedFrom, revision)) }
    for index in 0..<changes.count { changed[changes[index].position] = revision }
  }

  /// Whether the item at a position can be valid since a revision.
  func allows(_ revision: Int64, at position: Int64) -> Bool {
    let logged = changed[position] ?? tails.last { $0.position <= position }?.revision
    return logged.map { $0 == revision } ?? (revision <= first)
  }
}

extension Strip {
  /// The group of each item from an index on, in order; nil for an item without one.
  fileprivate func groups(from index: Int) -> AnyIterator<String?> {
    var runs = groupRuns(from: index)
    var run = runs.next()
    var index = index
    return AnyIterator {
      defer { index += 1 }
      while let current = run, current.range.upperBound <= index { run = runs.next() }
      guard let current = run, current.range.contains(index) else { return .some(nil) }
      return .some(current.title)
    }
  }
}
