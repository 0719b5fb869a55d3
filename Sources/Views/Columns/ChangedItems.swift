import Items

/// The items that differ between two snapshots of a strip.
struct ChangedItems {
  struct Entry {
    let sortKey: Int64
    /// Whether the previous snapshot has the item.
    let existed: Bool
    /// The index of the item in the new snapshot; nil if the edit removed it.
    let index: Int?
    /// Fields that are absent are missing.
    let values: [FieldName: FieldValue]
    let words: [[UInt8]]
  }

  /// The sort keys and the columns of the new snapshot.
  let sortKeys: SortKeys
  let columns: ColumnStore
  /// In the order of their sort keys.
  let items: [Entry]

  /// A lookup of this number of items takes microseconds.
  static let fewCount = 64

  /// - Parameters:
  ///   - changed: the sort keys of the changed items.
  ///   - old: the sort keys of the previous snapshot.
  ///   - columns: the columns that `need` names.
  /// - Complexity: O(*k* log *n*) for *k* items.
  init(
    _ changed: [Int64], from old: SortKeys, to sortKeys: SortKeys, _ columns: ColumnStore,
    _ need: RequiredColumns
  ) {
    (self.sortKeys, self.columns) = (sortKeys, columns)
    items = changed.map { sortKey in
      let index = sortKeys.index(of: sortKey)
      return Entry(
        sortKey: sortKey, existed: old.index(of: sortKey) != nil, index: index,
        values: index.map { columns.values(of: need.fields, at: $0) } ?? [:],
        words: need.words ? index.map { columns.words(at: $0) } ?? [] : [])
    }
  }
}

extension ChangedItems.Entry {
  /// Whether the item matches. The same as its bit of `ViewQuery.select`.
  func matches(_ query: ViewQuery, _ ids: FilteredIDs) -> Bool {
    if let filter = query.filter,
      !filter.matches({ $0 == "id" ? index.map { ids.value(at: $0) } : values[$0] })
    {
      return false
    }
    guard let search = query.search, !search.isEmpty else { return true }
    return search.matches(words)
  }
}

/// The items that recent revisions of a strip touched.
struct DeltaRing {
  private struct Entry {
    let revision: Int64
    let sortKeys: [Int64]
    let appendedFrom: Int64?
  }

  /// The revision before the first entry.
  private var start: Int64
  private var entries: [Entry] = []
  private var sortKeyCount = 0

  /// In bytes.
  var cost: Int { 12 * sortKeyCount }

  /// The most sort keys. Each entry counts as four more sort keys.
  private static let limit = 200_000

  init(at revision: Int64) { start = revision }

  mutating func append(_ sortKeys: [Int64], appendedFrom: Int64?, at revision: Int64) {
    entries.append(Entry(revision: revision, sortKeys: sortKeys, appendedFrom: appendedFrom))
    sortKeyCount += sortKeys.count + 4
    guard sortKeyCount > Self.limit else { return }
    // Dropping half at once keeps the amortized cost of an entry constant.
    var dropped = 0
    while sortKeyCount > Self.limit / 2, dropped < entries.count - 1 {
      sortKeyCount -= entries[dropped].sortKeys.count + 4
      start = entries[dropped].revision
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// The sort keys in ascending order, and the least `appendedFrom`. Nil if the log starts after `first`.
  func changes(between first: Int64, and last: Int64) -> (sortKeys: [Int64], appendedFrom: Int64?)?
  {
    guard first >= start else { return nil }
    // An entry covers all revisions after the previous entry.
    let begin = (entries.lastIndex { $0.revision <= first } ?? -1) + 1
    let end = (entries[begin...].firstIndex { $0.revision >= last } ?? entries.count - 1) + 1
    let found = entries[begin..<end]
    // The common case: one edit since the last view.
    if found.count == 1 { return (found[begin].sortKeys, found[begin].appendedFrom) }
    return (Set(found.flatMap(\.sortKeys)).sorted(), found.compactMap(\.appendedFrom).min())
  }
}
