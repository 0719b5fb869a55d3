package import Items
import Synchronization
import Windowing

/// A view of a strip at one revision: a filtered and sorted snapshot.
///
///     let view = try StripView.make(query, of: base, list: nil)
///     view.snapshot.strip.count         // the number of matching items
///     try view.updated(to: newer)    // the same view after an edit
///
/// The snapshot equals an import of the same items in the same order. All code that reads snapshots can
/// therefore read views.
///
/// A view retains the columns of its sort fields, and of words if it is sorted by relevance. It retains neither other
/// columns nor the geometry of the strip.
///
/// - Complexity: eight bytes per item for the tree, and two to eight bytes per item for the sort key.
package final class StripView: Sendable {
  package let query: ViewQuery
  package let snapshot: Snapshot
  package let need: RequiredColumns
  private let identity: ColumnCache.Identity
  private let items: ViewItemSource
  private let list: ResolvedList?
  /// The sort key of an item that the search matches as it is spelled. While it matches, the search needs no correction. Nil
  /// without a search, and if no item matches.
  private let exactMatch: Int64?

  /// - Parameters:
  ///   - query: the query, with the corrected search.
  ///   - memory: the reservations of the view, and of the memory that it shares with the views from which it was derived.
  private init(
    _ query: ViewQuery, _ need: RequiredColumns, of base: Snapshot, _ strip: Strip,
    _ order: ViewOrder, by ordering: ItemComparator, _ list: ResolvedList?, exactMatch: Int64?,
    after old: Snapshot?, memory: ViewItemSource.Memory
  ) {
    self.query = query
    self.need = need
    self.exactMatch = exactMatch
    identity = base.columns.identity
    items = ViewItemSource(
      base: base.source, order: order, ordering: ordering.retainingSort(),
      groups: query.sort.isEmpty ? nil : strip, memory: memory)
    self.list = list
    snapshot = Snapshot(
      name: base.name, settings: base.settings, revision: base.revision, strip: strip,
      source: items,
      layouts: old?.layouts ?? SharedLayoutCache(memory: memory.shared.budget),
      columns: old?.columns, view: query, kindsOf: base)
    memory.shared.resize(to: cost)
  }

  package var revision: Int64 { snapshot.revision }

  /// Whether this is a view of the strip, at any revision. A reloaded strip counts as another strip.
  package func isView(of base: Snapshot) -> Bool { identity === base.columns.identity }

  /// Whether the view retains memory that its strip has replaced.
  package var isStale: Bool { revision < identity.newest.load(ordering: .relaxed) }

  /// The approximate size of the view in bytes, without its strip.
  private var cost: Int {
    1500 + 8 * snapshot.strip.count + items.order.cost + (query.search?.cost ?? 0)
      + snapshot.strip.runCount * items.ordering.groupCost + (list?.cost ?? 0)
  }

  /// Makes a view. May block.
  ///
  /// - Parameters:
  ///   - list: the ids of the query's list; nil if the query has no list.
  /// - Throws: `.tooLarge` if the view does not fit in memory.
  /// - Complexity: O(*n*) for each comparison, and O(selected items); O(*m* log *m*) for a list of *m* ids.
  package static func make(
    _ query: ViewQuery, of base: Snapshot, list ids: [String]?,
    memory: MemoryBudget = MemoryBudget()
  ) throws(CatalogueError) -> StripView {
    let isWhole = query.filter == nil && query.search == nil
    let count = ids?.count ?? (isWhole ? base.strip.count : 0)
    let listCost = ResolvedList.cost(of: ids ?? [])
    // The selection is a bit for each item of the strip.
    guard let reservation = memory.reserve(itemCost * count + base.strip.count / 8 + listCost)
    else { throw .tooLarge }
    let list = try ids.map { ids throws(CatalogueError) in try ResolvedList(ids, in: base) }
    return try make(query, of: base, list, after: nil, reservation)
  }

  /// The most bytes that an item of a view takes, without groups.
  private static let itemCost = 12
  /// An estimate: the bytes that the tree of items grows by when an edit changes items in one segment of sort keys.
  ///
  /// A new view keeps its items in arrays of 24 leaves, with 96 items in each leaf. The first edit in such an array copies
  /// it: 24 leaves of 800 bytes and their branch of 1,048 bytes, together 20,248 bytes for 2,304 items. A segment has
  /// 1,024 items, so edits in two segments often share a copy. So this is five sixths of it.
  private static let treeCost = 17_000
  /// An estimate: the bytes that the tree grows by at the first change in any segment. They are a dozen nodes of 1 KB: the
  /// branches above, and the nodes of the groups.
  private static let topCost = 12_000

  private static func make(
    _ query: ViewQuery, of base: Snapshot, _ list: ResolvedList?, after old: Snapshot?,
    _ reservation: MemoryReservation
  ) throws(CatalogueError) -> StripView {
    let need = query.requiredColumns
    let columns = try need.columns(of: base)
    var query = query
    let (bits, found) = query.select(
      in: columns, try FilteredIDs(of: query, in: base), count: base.strip.count)
    let ordering = ItemComparator(
      sortKeys: base.source.sortKeys, columns: columns, sort: query.sort, ranking: query.ranking,
      ranks: list?.ranks)
    let listed = list?.indices(in: ordering.sortKeys, bits)
    let count = listed?.count ?? bits.selectedCount
    let groups = ViewBuilder.groupCount(bits, listed, of: base, by: ordering)
    guard
      reservation.grow(
        to: itemCost * count + ordering.groupCost * groups + (list?.cost ?? 0))
    else { throw .tooLarge }
    let made =
      if let listed {
        ViewBuilder.build(listed, of: base, by: ordering)
      } else {
        ViewBuilder.build(bits, of: base, by: ordering)
      }
    let view = StripView(
      query, need, of: base, made.strip, made.order, by: ordering, list,
      exactMatch: found.map { ordering.sortKeys[$0] }, after: old,
      memory: ViewItemSource.Memory(
        shared: reservation, own: MemoryReservation(0, of: reservation.budget)))
    // There can be more groups than estimated: equal numbers that are spelled differently can alternate.
    guard reservation.grow(to: view.cost) else { throw .tooLarge }
    return view
  }

  // MARK: - Edits

  /// The result of `updated(to:)` if it takes only microseconds; otherwise nil. Never blocks.
  package func cachedUpdated(to base: Snapshot) -> StripView? {
    guard list == nil, canAdvance(to: base), query.filter?.ids.isEmpty ?? true,
      let changed = changedSortKeys(in: base, limit: ChangedItems.quickChangeLimit),
      let columns = need.isEmpty ? .empty : base.columns.cachedColumns(of: base, need)
    else { return nil }
    return updated(to: base, changed, columns, .empty)
  }

  /// Derives the view of another snapshot of the same strip. May block.
  ///
  /// - Returns: nil if the caller must make the view from the whole strip.
  /// - Complexity: O(*k* log² *n*) for *k* changed items, plus the cost of updating the columns.
  package func updated(to base: Snapshot) throws(CatalogueError) -> StripView? {
    let limit =
      list == nil ? max(ChangedItems.quickChangeLimit, items.order.count / 8) : .max
    guard canAdvance(to: base), let changed = changedSortKeys(in: base, limit: limit) else {
      return nil
    }
    if let list {
      let shared = items.memory.shared
      guard let reservation = shared.budget.reserve(shared.bytes) else { throw .tooLarge }
      return try .make(
        query, of: base, list.updated(to: base, changed), after: snapshot, reservation)
    }
    return updated(
      to: base, changed, try need.columns(of: base), try FilteredIDs(of: query, in: base))
  }

  private func changedSortKeys(in base: Snapshot, limit: Int) -> [Int64]? {
    base.columns.changedSortKeys(
      from: (revision, items.ordering.sortKeys), to: (base.revision, base.source.sortKeys),
      limit: limit)
  }

  /// Whether the view at a later revision can be derived from this one. A view of a corrected search, or of a search that
  /// finds nothing, is made again from the whole strip after each edit.
  private func canAdvance(to base: Snapshot) -> Bool {
    let (kinds, known) = (base.strip.kinds, snapshot.strip.kinds)
    return isView(of: base) && (kinds == known || kinds.starts(with: known))
      && (query.search == nil || base.settings.searchable == snapshot.settings.searchable)
      && (exactMatch != nil || query.search?.isEmpty ?? true)
  }

  /// The view at `base`. Nil if the search may need other words than before, which depend on the whole strip.
  private func updated(
    to base: Snapshot, _ changed: [Int64], _ columns: ColumnStore, _ ids: FilteredIDs
  ) -> StripView? {
    let changes = ChangedItems(
      changed, from: items.ordering.sortKeys, to: base.source.sortKeys, columns, need)
    let ordering = ItemComparator(
      sortKeys: changes.sortKeys, columns: changes.columns, sort: query.sort,
      ranking: query.ranking,
      ranks: nil)
    var (strip, order) = (snapshot.strip, items.order)
    for name in base.strip.kinds.dropFirst(strip.kinds.count) { _ = strip.kind(named: name) }
    // Remove first. The remaining items have the same order before and after the edit.
    var removed: [Int] = []
    for item in changes.items where item.existed {
      if let index = order.index(of: item.sortKey, by: items.ordering) { removed.append(index) }
    }
    var touched = removed
    for index in removed.sorted(by: >) {
      order.remove(at: index)
      strip.remove(index..<index + 1)
    }
    for item in changes.items {
      guard let index = item.index, item.matches(query, ids) else { continue }
      let viewIndex = order.firstIndex(notBefore: item.sortKey) { ordering.precedes($0, $1) }
      order.insert(item.sortKey, at: viewIndex)
      touched.append(viewIndex)
      let title =
        query.sort.isEmpty ? base.strip.groupRun(at: index)?.title : ordering.title(at: index)
      strip.insert([base.strip[index]], at: viewIndex, group: title)
    }
    var exactMatch = exactMatch
    if let search = query.search, !search.isEmpty,
      changes.items.contains(where: { $0.sortKey == exactMatch && !search.matches($0.words) })
    {
      exactMatch = order.count > 0 ? order[0] : nil
      guard exactMatch != nil else { return nil }
    }
    // Where a segment is new, leaves of the tree and the branches above them are new.
    let shared = items.memory.shared
    let copies = order.copies(ofChangesAt: touched)
    let branches = copies.segments > 0 ? Self.topCost : 0
    let own = min(shared.bytes, 800 + copies.bytes + branches + Self.treeCost * copies.segments)
    return StripView(
      query, need, of: base, strip, order, by: ordering, nil, exactMatch: exactMatch,
      after: snapshot,
      memory: ViewItemSource.Memory(
        shared: shared, own: MemoryReservation(own, of: shared.budget)))
  }
}

extension ViewQuery {
  /// The columns that the query needs. `id` has none: see `FilteredIDs`.
  package var requiredColumns: RequiredColumns {
    RequiredColumns(
      fields: fields.filter { $0 != "id" }, words: search.map { !$0.isEmpty } ?? false)
  }

  /// The items that the filter and the search select. Corrects the search if it finds nothing.
  ///
  /// - Returns: also an item of the strip that the search finds uncorrected, if there is one.
  mutating func select(
    in columns: ColumnStore, _ ids: FilteredIDs, count: Int
  ) -> (items: Bitmap, found: Int?) {
    let selected = filter.map { columns.select($0, ids) }
    guard let search, !search.isEmpty else {
      return (selected ?? Bitmap(repeating: true, count: count), nil)
    }
    var (known, items) = columns.find(search.uncorrected)
    self.search = known
    let found = known.corrections.isEmpty ? items.first : nil
    if let selected { items.formIntersection(selected) }
    return (items, found)
  }
}

extension RequiredColumns {
  fileprivate func columns(of base: Snapshot) throws(CatalogueError) -> ColumnStore {
    isEmpty ? ColumnStore(count: base.strip.count) : try base.columns.columns(of: base, self)
  }
}

// MARK: - Lists

/// A stored list of ids, with the item of a snapshot for each id.
struct ResolvedList: Sendable {
  private let ids: [String]
  /// The sort key of each id's item; nil if the snapshot has no such item.
  private let sortKeys: [Int64?]
  let ranks: [Int64: Int]

  let cost: Int

  init(_ ids: [String], in base: Snapshot) throws(CatalogueError) {
    let sortKeys = base.source.sortKeys
    self.init(ids, sortKeys: try base.source.indices(of: ids).map { $0.map { sortKeys[$0] } })
  }

  private init(_ ids: [String], sortKeys: [Int64?]) {
    self.ids = ids
    self.sortKeys = sortKeys
    var ranks: [Int64: Int] = [:]
    for case (let rank, let sortKey?) in sortKeys.enumerated() { ranks[sortKey] = rank }
    self.ranks = ranks
    cost = Self.cost(of: ids)
  }

  /// An id of more than 15 bytes is an allocation. A table of ranks has up to twice as many places.
  static func cost(of ids: [String]) -> Int {
    ids.reduce(200) { $0 + 64 + ($1.utf8.count > 15 ? 48 + $1.utf8.count : 0) }
  }

  /// The same list in another snapshot. Looks up only ids whose item was touched or absent.
  func updated(to base: Snapshot, _ changed: [Int64]) throws(CatalogueError) -> ResolvedList {
    guard !changed.isEmpty else { return self }
    let touched = Set(changed)
    let present = base.source.sortKeys
    var sortKeys = sortKeys
    let unknown = sortKeys.indices.filter { sortKeys[$0].map { touched.contains($0) } ?? true }
    let found = try base.source.indices(of: unknown.map { ids[$0] })
    for (number, index) in zip(unknown, found) { sortKeys[number] = index.map { present[$0] } }
    return ResolvedList(ids, sortKeys: sortKeys)
  }

  /// The indices of the selected items in the order of the list.
  func indices(in present: SortKeys, _ bits: Bitmap) -> [Int] {
    sortKeys.compactMap { sortKey in sortKey.flatMap { present.index(of: $0) } }.filter { bits[$0] }
  }
}
