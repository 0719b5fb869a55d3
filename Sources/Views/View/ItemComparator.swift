/// The order of a view's items: by sort fields, then by position in the list or the strip.
struct ItemComparator: Sendable {
  let sortKeys: SortKeys
  let columns: ColumnStore
  let sort: [SortField]
  /// The search that `relevance` refers to; nil if items are not sorted by it.
  let ranking: Search?
  /// The places of items in the view's list, by sort key; nil if the view has no list.
  let ranks: [Int64: Int]?

  /// The same order, with only the columns of the sort fields.
  func retainingSort() -> ItemComparator {
    ItemComparator(
      sortKeys: sortKeys,
      columns: columns.retaining(
        sort.filter { !$0.isRelevance }.map(\.field), words: ranking != nil),
      sort: sort, ranking: ranking, ranks: ranks)
  }

  /// Whether item `a` sorts before item `b`. O(log *n*).
  func precedes(_ a: Int64, _ b: Int64) -> Bool {
    if !sort.isEmpty, a != b, let left = sortKeys.index(of: a), let right = sortKeys.index(of: b) {
      let (left, right) = (columns.location(of: left), columns.location(of: right))
      for field in sort {
        if field.isRelevance {
          let (x, y) = (relevance(at: left), relevance(at: right))
          if x == y { continue }
          return (x < y) != field.isDescending
        }
        let column = columns.column(field.field)
        let (x, y) = (column.code(at: left), column.code(at: right))
        if x == y { continue }
        let isReversed = field.isDescending && x != 0 && y != 0
        let order = column.dictionary.withTexts { texts in
          texts.precedes(x, y) ? -1 : texts.precedes(y, x) ? 1 : 0
        }
        if order != 0 { return (order < 0) != isReversed }
      }
    }
    guard let ranks else { return a < b }
    return ranks[a, default: .max] < ranks[b, default: .max]
  }

  private func relevance(at location: (segment: Int, index: Int)) -> UInt32 {
    ranking.map { columns.relevance(to: $0, at: location) } ?? 0
  }

  /// The column of the first sort field: the group titles. Nil if the first is `relevance`: then there are no groups.
  var titles: DictionaryEncodedColumn? {
    sort.first.flatMap { $0.isRelevance ? nil : columns.column($0.field) }
  }

  /// The approximate memory of a group in bytes: a node of the tree of groups, and the copy of a text as its title.
  var groupCost: Int { 80 + (titles?.dictionary.withTexts(\.stringCost) ?? 0) }

  /// The group title of an item: its text in the first sort field. Nil if the field is absent.
  func title(at index: Int) -> String? {
    guard let column = titles else { return nil }
    let code = column.code(at: columns.location(of: index))
    return code == 0 ? nil : column.dictionary.withTexts { $0.text(code) }
  }
}

extension ViewOrder {
  /// The place of an item; nil if the view does not contain the item.
  func index(of sortKey: Int64, by ordering: ItemComparator) -> Int? {
    guard ordering.ranks?.keys.contains(sortKey) ?? true else { return nil }
    let index = firstIndex(notBefore: sortKey) { ordering.precedes($0, $1) }
    return index < count && self[index] == sortKey ? index : nil
  }
}
