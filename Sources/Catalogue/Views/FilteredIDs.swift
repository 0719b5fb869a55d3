/// The items that a filter names by their ids: `id IN [a1, a2]`.
///
/// The store's index of ids finds them. A column of all ids would take more memory than all other columns.
struct FilteredIDs: Sendable {
  private let indices: [[UInt8]: Int]

  static let empty = FilteredIDs()

  private init() { indices = [:] }

  /// Finds the items of a query's ids in an edition. Blocks if there are ids.
  ///
  /// - Complexity: one round trip to a database for all ids; O(log *n*) for each.
  init(of query: ViewQuery, in base: Edition) throws(CatalogueError) {
    let ids = query.filter.map { Array($0.ids) } ?? []
    let found =
      ids.isEmpty
      ? [] : try base.source.indices(of: ids.map { String(decoding: $0, as: UTF8.self) })
    indices = Dictionary(
      uniqueKeysWithValues: zip(ids, found).compactMap { id, index in index.map { (id, $0) } })
  }

  /// The index of the item; nil if the edition does not have it.
  func index(of id: [UInt8]) -> Int? { indices[id] }

  /// The id of the item at an index, as far as the filter can tell it from others.
  func value(at index: Int) -> FieldValue {
    // No text equals these bytes, because they are not UTF-8.
    FieldValue(indices.first { $0.value == index }?.key ?? [0xFF])
  }
}
