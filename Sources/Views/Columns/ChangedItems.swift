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
  static let quickChangeLimit = 64

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
  /// Whether the item matches: the value of its bit in the result of `ViewQuery.select`.
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
