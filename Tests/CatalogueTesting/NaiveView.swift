package import Items
package import Views

extension ViewQuery {
  /// The items of this view of `items`, in order: a naive model of the contract.
  ///
  /// - Parameter ids: the ids of the stored list, if the query names one.
  package func items(
    of items: [Item], searchable: [FieldName], list ids: [String]? = nil
  ) throws -> [Item] {
    var selected = items
    if let ids {
      selected = ids.compactMap { id in items.first { $0.id.utf8.elementsEqual(id.utf8) } }
    }
    if let filter { selected = selected.filter { item in filter.matches { item.value(of: $0) } } }
    let search = search.map { NaiveSearch($0, of: items, searchable: searchable) }
    if let search { selected = selected.filter(search.finds) }
    guard let first = sort.first else { return selected }
    // Sorts by the last field first. This needs a stable sort, as the standard library has.
    for key in sort.reversed() {
      if key.isRelevance, let search {
        let ranked = selected.map { (search.relevance(of: $0), $0) }.sorted { left, right in
          key.isDescending
            ? right.0.lexicographicallyPrecedes(left.0) : left.0.lexicographicallyPrecedes(right.0)
        }
        selected = ranked.map(\.1)
        continue
      }
      selected.sort { key.precedes($0.value(of: key.field), $1.value(of: key.field)) }
    }
    return try selected.map { item in
      let value = first.isRelevance ? nil : item.value(of: first.field)
      let group = value.map { String(decoding: $0.text, as: UTF8.self) }
      return try Item(
        id: item.id, kind: item.kind, aspect: item.aspect, width: item.width, group: group,
        fields: item.fields)
    }
  }
}

extension SortField {
  /// Whether an item with the value `left` stands before an item with the value `right`. An item
  /// without the field stands last, also if the sort is descending.
  package func precedes(_ left: FieldValue?, _ right: FieldValue?) -> Bool {
    switch (left, right) {
    case (let left?, let right?): isDescending ? right.precedes(left) : left.precedes(right)
    case (.some, nil): true
    case (nil, _): false
    }
  }
}

extension FieldValue {
  /// Numbers by size, then text by bytes. `1` and `1.0` are equal in this order.
  package func precedes(_ other: FieldValue) -> Bool {
    switch (number, other.number) {
    case (let number?, let other?): number < other
    case (nil, nil): text.lexicographicallyPrecedes(other.text)
    case (let number, _): number != nil
    }
  }
}
