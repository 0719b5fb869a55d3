package import Items
import Synchronization
import Windowing

/// A cache of the columns of one strip at its recent revisions. Views filter, search and sort by them.
///
/// `prepare` or the first view builds the columns from all items. The columns of a later revision are made from those in
/// memory, and only changed items are read again.
///
/// - Complexity: O(*n*) for the first view, which reads all items; O(segments + *k*) for the first view of a later
///   revision, which reads *k* changed items; O(1) for other views.
package final class ColumnCache: Sendable {
  private struct ColumnsOfRevision {
    let revision: Int64
    /// Retains the memory of the sort keys.
    let source: any ItemSource
    let columns: ColumnStore
  }

  /// The most items. The columns of longer strips do not fit in memory.
  package static let longestStrip = 1 << 27

  /// The identity of a strip. A view retains it to recognize its strip.
  final class Identity: Sendable {
    /// The newest revision. After the strip was evicted, greater than any revision.
    let newest = Atomic(Int64.min)
  }

  let identity = Identity()
  package let memory: MemoryBudget

  /// The columns of at most four revisions, the most recently stored at the end.
  private let revisions = Mutex<[ColumnsOfRevision]>([])
  private let deltas: Mutex<DeltaLog>
  private let deltaMemory: MemoryReservation
  /// Held while columns are built. Only functions that may block wait for it.
  private let building = Mutex(())
  /// The approximate number of items touched since `isPreparationDue` last returned true.
  private let touchedCount = Atomic(Int.max / 2)

  /// - Parameters:
  ///   - revision: the revision of the strip before all recorded changes.
  ///   - memory: the budget of the strip.
  package init(at revision: Int64, memory: MemoryBudget = MemoryBudget()) {
    deltas = Mutex(DeltaLog(at: revision))
    self.memory = memory
    deltaMemory = MemoryReservation(1000, of: memory)
  }

  deinit { identity.newest.store(.max, ordering: .relaxed) }

  /// Records that a revision has touched items.
  ///
  /// - Parameters:
  ///   - sortKeys: the items that were inserted, changed or removed.
  ///   - appendedFrom: items with this sort key or a greater one were appended too.
  package func record(_ sortKeys: [Int64], appendedFrom: Int64?, at revision: Int64) {
    deltas.withLock { deltas in
      deltas.append(Set(sortKeys).sorted(), appendedFrom: appendedFrom, at: revision)
      deltaMemory.resize(to: 1000 + deltas.cost)
    }
    identity.newest.store(revision, ordering: .relaxed)
    if appendedFrom != nil { return requirePreparation() }
    touchedCount.wrappingAdd(sortKeys.count, ordering: .releasing)
  }

  /// Makes the next `isPreparationDue` return true.
  package func requirePreparation() { touchedCount.store(.max / 2, ordering: .releasing) }

  /// Whether `prepare` should build the columns of the newest snapshot now: at first, and after many items have changed.
  /// False while `newest` lacks a recorded change: the next snapshot asks again. A call that returns true resets the count
  /// of touched items.
  package func isPreparationDue(of newest: Snapshot) -> Bool {
    guard touchedCount.load(ordering: .relaxed) > max(1000, newest.strip.count / 100) else {
      return false
    }
    // The reset comes before the look at the revision: a change that is recorded after it is due by itself.
    _ = touchedCount.exchange(0, ordering: .acquiring)
    if newest.revision >= identity.newest.load(ordering: .relaxed) { return true }
    requirePreparation()
    return false
  }

  /// The sort keys of the items that differ between two snapshots, in ascending order.
  ///
  /// - Parameter limit: the most sort keys that the caller uses.
  /// - Returns: nil if there are more, or if the deltas no longer cover the older snapshot.
  package func changedSortKeys(
    from old: (Int64, SortKeys), to new: (Int64, SortKeys), limit: Int = .max
  ) -> [Int64]? {
    guard old.0 != new.0 else { return [] }
    let found = deltas.withLock { $0.changes(between: min(old.0, new.0), and: max(old.0, new.0)) }
    guard let found, found.sortKeys.count <= limit else { return nil }
    guard let appendedFrom = found.appendedFrom else { return found.sortKeys }
    var sortKeys = Set(found.sortKeys)
    for side in [old.1, new.1] {
      let first = side.count(before: appendedFrom)
      // An import can append millions of items.
      guard side.count - first <= limit else { return nil }
      sortKeys.formUnion(side[first..<side.count])
    }
    return sortKeys.count <= limit ? sortKeys.sorted() : nil
  }

  /// The columns of a snapshot: the declared columns, and others that a view needs. May block.
  package func columns(
    of snapshot: Snapshot, _ need: RequiredColumns
  ) throws(CatalogueError) -> ColumnStore {
    if let found = cachedColumns(of: snapshot, need) { return found }
    return try building.withLock { _ throws(CatalogueError) in
      if let found = cachedColumns(of: snapshot, need) { return found }
      let (filterable, searchable) = (snapshot.settings.filterable, snapshot.settings.searchable)
      var columns = try updated(to: snapshot) ?? ColumnStore(count: snapshot.strip.count)
      if !columns.has(need.fields, need.words ? searchable : nil) {
        var missing: [FieldName] = []
        for field in filterable + need.fields
        where columns.columns[field] == nil && !missing.contains(field) {
          missing.append(field)
        }
        let searched = columns.words?.content == .words(of: searchable) ? [] : searchable
        let reader = ColumnReader(snapshot, fields: missing, searched: searched)
        columns.merge(try reader.read(segments: columns.starts))
      }
      store(columns, of: snapshot)
      return columns.withWords(of: searchable)
    }
  }

  /// Builds the declared columns of a snapshot and sorts their values, before a view needs them. Blocks.
  package func prepare(_ snapshot: Snapshot) throws(CatalogueError) {
    let fields = snapshot.settings.filterable
    let columns = try columns(of: snapshot, RequiredColumns(fields: fields, words: true))
    for field in fields { _ = columns.column(field).dictionary.ranks }
  }

  /// Whether a snapshot declares columns that fit in about `memory` bytes.
  package static func declares(_ snapshot: Snapshot, memory: Int) -> Bool {
    let (fields, searched) = (snapshot.settings.filterable, snapshot.settings.searchable)
    // Estimates: two bytes for a code, 16 bytes for the words of an item.
    let bytes = 2 * fields.count + (searched.isEmpty ? 0 : 16)
    return bytes > 0 && snapshot.strip.count <= min(longestStrip, memory / bytes)
  }

  /// Whether a thread is building columns. Never blocks.
  package var isBuilding: Bool { building.withLockIfAvailable { _ in } == nil }

  /// The columns of a snapshot if they are in memory. Never blocks.
  package func cachedColumns(of snapshot: Snapshot, _ need: RequiredColumns) -> ColumnStore? {
    let searched = snapshot.settings.searchable
    let found = revisions.withLock { $0.last { $0.revision == snapshot.revision }?.columns }
    guard let found, found.has(need.fields, need.words ? searched : nil) else { return nil }
    return found.withWords(of: searched)
  }

  /// The most changed items that are in memory at once. After more changes, the columns are built from parts of the strip.
  private static let updateLimit = 100_000

  /// Derives the columns of a snapshot from the columns of the nearest revision in memory.
  private func updated(to snapshot: Snapshot) throws(CatalogueError) -> ColumnStore? {
    let nearest = revisions.withLock { revisions in
      revisions.min { abs($0.revision - snapshot.revision) < abs($1.revision - snapshot.revision) }
    }
    guard let nearest else { return nil }
    let known = nearest.source.sortKeys
    guard
      let changed = changedSortKeys(
        from: (nearest.revision, known), to: (snapshot.revision, snapshot.source.sortKeys),
        limit: Self.updateLimit)
    else { return nil }
    return try nearest.columns.updated(changed, from: known, to: snapshot)
  }

  private func store(_ columns: ColumnStore, of snapshot: Snapshot) {
    let new = ColumnsOfRevision(
      revision: snapshot.revision, source: snapshot.source, columns: columns)
    revisions.withLock { revisions in
      revisions.removeAll { $0.revision == snapshot.revision }
      revisions.append(new)
      // Revisions share the parts that edits did not touch.
      if revisions.count > 4 { revisions.removeFirst() }
    }
    memory.evict()
  }
}

/// The columns that a view needs.
package struct RequiredColumns: Sendable {
  package let fields: [FieldName]
  /// Whether the words of the searchable fields are needed.
  let words: Bool

  package init(fields: [FieldName], words: Bool) {
    self.fields = fields
    self.words = words
  }

  var isEmpty: Bool { fields.isEmpty && !words }
}

extension ColumnStore {
  /// Derives the columns of a snapshot from the columns of another snapshot.
  ///
  /// - Parameters:
  ///   - changed: the sort keys of the changed items, ascending.
  ///   - old: the sort keys of these columns.
  fileprivate func updated(
    _ changed: [Int64], from old: SortKeys, to snapshot: Snapshot
  ) throws(CatalogueError) -> ColumnStore {
    let sortKeys = snapshot.source.sortKeys
    let present = changed.filter { sortKeys.index(of: $0) != nil }
    var items: [Int64: Item] = [:]
    for (sortKey, item) in zip(present, try snapshot.source.items(at: present)) {
      items[sortKey] = item
    }
    return applying(
      changed.map { sortKey in
        let index = old.index(of: sortKey)
        return ItemChange(
          index: index ?? old.count(before: sortKey), existed: index != nil, item: items[sortKey])
      })
  }
}
