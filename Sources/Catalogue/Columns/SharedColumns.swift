import Synchronization
import Windowing

/// The columns of one strip, shared by its editions. Views need them to filter, search and sort.
///
/// The first view reads the columns from the store or builds them. `restore` and `prepare` do so in advance.
///
/// The columns of another revision are derived from columns in memory. Only items that edits touched
/// between the two revisions are read again.
///
/// - Complexity: O(*n*) with a read of all items for the first view; O(pieces + *k*) with a read of *k*
///   touched items for the first view of a later revision; O(1) for others.
package final class SharedColumns: Sendable {
  /// The columns at one revision.
  private struct Snapshot {
    let revision: Int64
    let keys: ItemKeys
    var columns: ItemColumns
  }

  private struct State {
    /// The most recently stored snapshots, the latest at the end.
    var snapshots: [Snapshot] = []
    /// The approximate bytes of the snapshots.
    var cost = 0
    var replacedCost = 0
    /// Whether declared columns were built from items, not read from the store.
    var isBuilt = false
  }

  /// The largest number of items. The columns of longer strips do not fit in memory.
  package static let longestStrip = 1 << 27

  /// The identity of a strip. A view retains it to recognize its strip.
  final class Identity: Sendable {}

  let identity = Identity()

  /// The number of revisions in memory. Revisions share the parts that edits did not touch.
  private static let snapshotCount = 4

  private let state = Mutex(State())
  private let log: Mutex<ChangeLog>
  /// The touched items of the last request. After an edit, all views usually need the same touched items.
  private let touched = Mutex<ChangedItems?>(nil)
  /// Held while columns are built or read. Only functions that may block wait for it.
  private let building = Mutex(())
  /// The approximate number of items touched since `isStoringDue` last returned true.
  private let touchedCount = Atomic(Int.max)

  /// - Parameter revision: the revision of the strip before all recorded changes.
  package init(at revision: Int64) { log = Mutex(ChangeLog(at: revision)) }

  /// The approximate size of the columns in bytes.
  package var cost: Int { state.withLock(\.cost) }

  /// Records that a revision has touched items.
  ///
  /// - Parameters:
  ///   - keys: the items that were inserted, changed or removed.
  ///   - appendedFrom: items with this key or a greater one were appended too.
  package func record(_ keys: [Int64], appendedFrom: Int64?, at revision: Int64) {
    log.withLock { $0.append(Set(keys).sorted(), appendedFrom: appendedFrom, at: revision) }
    if appendedFrom != nil { return requireStoring() }
    let count = touchedCount.load(ordering: .relaxed)
    if count < Int.max / 2 { touchedCount.store(count + keys.count, ordering: .relaxed) }
  }

  /// Makes the next `isStoringDue` return true.
  package func requireStoring() { touchedCount.store(.max, ordering: .relaxed) }

  /// Whether the stored columns of a strip of `count` items are stale and should be written again.
  ///
  /// True for the first call. Each call that returns true resets the count of touched items.
  package func isStoringDue(count: Int) -> Bool {
    guard touchedCount.load(ordering: .relaxed) > Self.staleCount(of: count) else { return false }
    touchedCount.store(0, ordering: .relaxed)
    return true
  }

  /// The number of items that may differ from the stored columns. A server that starts reads these items
  /// individually.
  package static func staleCount(of count: Int) -> Int { max(1000, count / 100) }

  /// The keys of the items that differ between two editions. Nil if the log no longer covers the older
  /// edition.
  package func changedKeys(from old: (Int64, ItemKeys), to new: (Int64, ItemKeys)) -> [Int64]? {
    guard old.0 != new.0 else { return [] }
    let found = log.withLock { $0.changes(between: min(old.0, new.0), and: max(old.0, new.0)) }
    guard let found else { return nil }
    guard let appendedFrom = found.appendedFrom else { return found.keys }
    var keys = Set(found.keys)
    for side in [old.1, new.1] {
      keys.formUnion(side[side.count(before: appendedFrom)..<side.count])
    }
    return keys.sorted()
  }

  /// The items that differ between another edition and this edition. Nil if they are unknown or many, or if
  /// the columns are not in memory. Never blocks.
  ///
  /// - Complexity: O(1) for each view after the first.
  package func cachedTouched(
    from old: (revision: Int64, keys: ItemKeys), to edition: Edition, _ need: RequiredColumns
  ) -> ChangedItems? {
    let searched = need.words ? edition.settings.searchable : nil
    if let known = touched.withLock({ $0 }), known.first == old.revision,
      known.last == edition.revision, known.columns.has(need.fields, searched)
    {
      return known
    }
    guard let columns = need.isEmpty ? .empty : cachedColumns(of: edition, need),
      let changed = changedKeys(
        from: (old.revision, old.keys), to: (edition.revision, edition.source.keys)),
      changed.count <= ChangedItems.fewCount
    else { return nil }
    let made = ChangedItems(
      changed, from: old, to: edition, columns, fields: Array(columns.columns.keys), words: true)
    touched.withLock { $0 = made }
    return made
  }

  /// The columns of an edition: the declared columns, and others that a view needs. May block.
  package func columns(
    of edition: Edition, _ need: RequiredColumns
  ) throws(CatalogueError) -> ItemColumns {
    if let found = cachedColumns(of: edition, need) { return found }
    return try building.withLock { _ throws(CatalogueError) in
      if let found = cachedColumns(of: edition, need) { return found }
      var known = try following(to: edition)
      if known == nil { known = try restored(edition) }
      var columns = known ?? ItemColumns(count: edition.strip.count)
      if !columns.has(need.fields, need.words ? edition.settings.searchable : nil) {
        let wanted = edition.settings.filterable + need.fields
        var missing: [FieldName] = []
        for field in wanted where columns.columns[field] == nil && !missing.contains(field) {
          missing.append(field)
        }
        let searched =
          columns.words?.fields == edition.settings.searchable ? [] : edition.settings.searchable
        let reader = ColumnReader(edition, fields: missing, searched: searched)
        columns.merge(try reader.read(pieces: columns.starts))
        if !searched.isEmpty || missing.contains(where: edition.settings.filterable.contains) {
          state.withLock { $0.isBuilt = true }
        }
      }
      store(Snapshot(revision: edition.revision, keys: edition.source.keys, columns: columns))
      return columns.withWords(of: edition.settings.searchable)
    }
  }

  /// Reads the declared columns of an edition from the store. Does nothing if columns are in memory, or the
  /// store has none. Blocks.
  package func restore(_ edition: Edition) throws(CatalogueError) {
    try building.withLock { _ throws(CatalogueError) in
      guard state.withLock({ $0.snapshots.isEmpty }), let columns = try restored(edition) else {
        return
      }
      store(Snapshot(revision: edition.revision, keys: edition.source.keys, columns: columns))
    }
  }

  /// Builds the declared columns of an edition and sorts their values, before a view needs them. Blocks.
  package func prepare(_ edition: Edition) throws(CatalogueError) {
    let fields = edition.settings.filterable
    let columns = try columns(of: edition, RequiredColumns(fields: fields, words: true))
    for field in fields { _ = columns.column(field).dictionary.ranks }
  }

  /// Whether an edition declares columns that fit in about `memory` bytes.
  package static func declares(_ edition: Edition, memory: Int) -> Bool {
    let (fields, searched) = (edition.settings.filterable, edition.settings.searchable)
    // Estimates: two bytes for a code, 16 bytes for the words of an item.
    let bytes = 2 * fields.count + (searched.isEmpty ? 0 : 16)
    return bytes > 0 && edition.strip.count <= min(longestStrip, memory / bytes)
  }

  /// Whether a thread is building columns or reading them from the store. Never blocks.
  package var isBuilding: Bool { building.withLockIfAvailable { _ in } == nil }

  /// Whether declared columns were built from items since the last `write`.
  package var isBuilt: Bool { state.withLock(\.isBuilt) }

  /// Passes the declared columns of an edition to `body`, as rows for a store. May block.
  ///
  /// - Parameter identity: the name of the strip and revision in the rows.
  package func write(
    _ edition: Edition, as identity: String,
    _ body: ([UInt8]) throws(CatalogueError) -> Void
  ) throws(CatalogueError) {
    let (fields, searched) = (edition.settings.filterable, edition.settings.searchable)
    try columns(of: edition, RequiredColumns(fields: fields, words: true)).write(
      fields, searched, as: identity, body)
    state.withLock { $0.isBuilt = false }
  }

  /// The columns of an edition if they are in memory. Never blocks.
  package func cachedColumns(of edition: Edition, _ need: RequiredColumns) -> ItemColumns? {
    let searched = edition.settings.searchable
    let found = state.withLock { state in
      state.snapshots.last { $0.revision == edition.revision }?.columns
    }
    guard let found, found.has(need.fields, need.words ? searched : nil) else { return nil }
    return found.withWords(of: searched)
  }

  /// Derives the columns of an edition from the columns of the nearest revision in memory.
  private func following(to edition: Edition) throws(CatalogueError) -> ItemColumns? {
    let nearest = state.withLock { state in
      state.snapshots.min {
        abs($0.revision - edition.revision) < abs($1.revision - edition.revision)
      }
    }
    guard let nearest else { return nil }
    let keys = edition.source.keys
    guard
      let changed = changedKeys(
        from: (nearest.revision, nearest.keys), to: (edition.revision, keys))
    else { return nil }
    return try nearest.columns.following(changed, from: nearest.keys, to: edition)
  }

  /// Derives the columns of an edition from the stored columns.
  private func restored(_ edition: Edition) throws(CatalogueError) -> ItemColumns? {
    guard edition.settings.declaresFields,
      let stored = try edition.source.storedColumns(of: edition.settings)
    else { return nil }
    return try stored.columns.following(stored.changed, from: stored.keys, to: edition)
  }

  private func store(_ snapshot: Snapshot) {
    let cost = snapshot.columns.cost
    state.withLock { state in
      state.snapshots.removeAll { $0.revision == snapshot.revision }
      state.snapshots.append(snapshot)
      if state.snapshots.count > Self.snapshotCount {
        state.snapshots.removeFirst()
        state.replacedCost += state.snapshots[0].columns.addedCost
      }
      state.cost = state.snapshots.dropFirst().reduce(cost) { $0 + $1.columns.addedCost }
    }
  }

  /// The approximate bytes of columns that were replaced since the last call. Only views can retain them.
  func takeReplacedCost() -> Int {
    state.withLock { state in
      defer { state.replacedCost = 0 }
      return state.replacedCost
    }
  }
}

/// The columns that a view needs.
package struct RequiredColumns: Sendable {
  package let fields: [FieldName]
  /// Whether the view needs the words of the searchable fields.
  let words: Bool

  package init(fields: [FieldName], words: Bool) {
    self.fields = fields
    self.words = words
  }

  var isEmpty: Bool { fields.isEmpty && !words }
}

extension StripSettings {
  fileprivate var declaresFields: Bool { !filterable.isEmpty || !searchable.isEmpty }
}

extension ItemColumns {
  /// Derives the columns of an edition from the columns of another edition.
  ///
  /// - Parameters:
  ///   - changed: the keys of the changed items, ascending.
  ///   - old: the keys of these columns.
  fileprivate func following(
    _ changed: [Int64], from old: ItemKeys, to edition: Edition
  ) throws(CatalogueError) -> ItemColumns {
    let keys = edition.source.keys
    let present = changed.filter { keys.index(of: $0) != nil }
    var items: [Int64: Item] = [:]
    for (key, item) in zip(present, try edition.source.items(at: present)) { items[key] = item }
    return applying(
      changed.map { key in
        let index = old.index(of: key)
        return ItemChange(
          index: index ?? old.count(before: key), isThere: index != nil, item: items[key])
      })
  }
}

/// A log of the items that recent revisions of a strip touched.
private struct ChangeLog {
  private struct Entry {
    let revision: Int64
    let keys: [Int64]
    let appendedFrom: Int64?
  }

  /// The revision before the first entry.
  private var start: Int64
  private var entries: [Entry] = []
  private var keyCount = 0

  /// The limit of keys in the log. Each entry counts as four more keys.
  private static let limit = 200_000

  init(at revision: Int64) { start = revision }

  mutating func append(_ keys: [Int64], appendedFrom: Int64?, at revision: Int64) {
    entries.append(Entry(revision: revision, keys: keys, appendedFrom: appendedFrom))
    keyCount += keys.count + 4
    guard keyCount > Self.limit else { return }
    // Dropping half at once keeps the amortized cost of an entry constant.
    var dropped = 0
    while keyCount > Self.limit / 2, dropped < entries.count - 1 {
      keyCount -= entries[dropped].keys.count + 4
      start = entries[dropped].revision
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// The keys in ascending order, and the least `appendedFrom`. Nil if the log starts after `first`.
  func changes(between first: Int64, and last: Int64) -> (keys: [Int64], appendedFrom: Int64?)? {
    guard first >= start else { return nil }
    // The common case: one edit since the last view.
    if let entry = entries.last, entry.revision == last,
      first >= entries.dropLast().last?.revision ?? start
    {
      return (entry.keys, entry.appendedFrom)
    }
    var keys: Set<Int64> = []
    var appendedFrom: Int64?
    var index = entries.count
    while index > 0, entries[index - 1].revision > first {
      index -= 1
      // An entry can cover several revisions: all revisions after the previous entry.
      guard (index > 0 ? entries[index - 1].revision : start) < last else { continue }
      keys.formUnion(entries[index].keys)
      if let begin = entries[index].appendedFrom {
        appendedFrom = min(begin, appendedFrom ?? begin)
      }
    }
    return (keys.sorted(), appendedFrom)
  }
}
