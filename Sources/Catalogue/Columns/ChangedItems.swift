/// The items that differ between two editions of a strip. Views need them to follow an edit. All views share
/// one lookup.
package final class ChangedItems: Sendable {
  package struct Entry: Sendable {
    package let key: Int64
    /// Whether the previous edition has the item.
    package let wasThere: Bool
    /// The index of the item in the new edition; nil if the edit removed it.
    package let index: Int?
    /// Fields that are absent are missing.
    package let values: [FieldName: FieldValue]
    package let words: [[UInt8]]
  }

  /// The revision of the previous edition.
  let first: Int64
  /// The revision of the new edition.
  let last: Int64
  /// The keys and the columns of the new edition.
  let keys: ItemKeys
  let columns: ItemColumns
  /// In the order of their keys.
  package let items: [Entry]

  /// A lookup of this number of items takes microseconds.
  static let fewCount = 64

  /// - Parameters:
  ///   - changed: the keys of the changed items.
  ///   - fields: the fields whose values are needed.
  ///   - words: whether words are needed.
  /// - Complexity: O(*k* log *n*) for *k* items.
  init(
    _ changed: [Int64], from old: (revision: Int64, keys: ItemKeys), to edition: Edition,
    _ columns: ItemColumns, fields: [FieldName], words: Bool
  ) {
    (first, last) = (old.revision, edition.revision)
    self.columns = columns
    let keys = edition.source.keys
    self.keys = keys
    items = changed.map { key in
      let index = keys.index(of: key)
      return Entry(
        key: key, wasThere: old.keys.index(of: key) != nil, index: index,
        values: index.map { columns.values(of: fields, at: $0) } ?? [:],
        words: words ? index.map { columns.words(at: $0) } ?? [] : [])
    }
  }
}

extension ChangedItems.Entry {
  /// Whether the item matches. The same as its bit of `ViewQuery.selection`.
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
