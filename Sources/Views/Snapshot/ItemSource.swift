package import Items

/// Whether a read may wait for the store.
package enum ReadMode: Sendable {
  /// Does not wait. Threads that answer requests use this mode. It reads memory, and `SQLItemSource` also a SQLite file.
  case cachedOnly
  /// Also reads the store. Threads of a work queue use this mode.
  case mayBlock
}

/// The ids and fields of the items of one snapshot. Each item has a sort key and an index, also a hidden item.
///
/// Functions without a `ReadMode` may block. Functions throw `.revisionGone` if the store has replaced the whole strip.
package protocol ItemSource: Sendable {
  /// The sort keys of all items. A view has those of its strip.
  var sortKeys: SortKeys { get }

  /// The sort keys of the items in `range`, in the order of the snapshot.
  func sortKeys(in range: Range<Int>) -> [Int64]

  /// Passes the id and fields of the items with these sort keys to `body`, in this order.
  ///
  /// - Precondition: The snapshot has the sort keys. This holds for all functions with sort keys.
  /// - Returns: false if `mode` is `.cachedOnly` and an item cannot be read without waiting. The caller then discards the
  ///   output of `body`.
  func read(
    at sortKeys: [Int64], _ mode: ReadMode, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool

  /// The whole items with these sort keys, in this order.
  func items(at sortKeys: [Int64]) throws(CatalogueError) -> [Item]

  /// The index of each of these items, or nil. One round trip to a database, or three if some items are absent.
  func indices(of ids: [String]) throws(CatalogueError) -> [Int?]

  /// The index of one item: see `indices(of:)`.
  func index(of id: String) throws(CatalogueError) -> Int?

  /// Whether `indices(of:)` and `index(of:)` never block.
  var hasIndicesInMemory: Bool { get }
}

extension ItemSource {
  package func sortKeys(in range: Range<Int>) -> [Int64] { sortKeys[range] }

  package func index(of id: String) throws(CatalogueError) -> Int? { try indices(of: [id])[0] }

  @discardableResult
  package func read(
    _ range: Range<Int>, _ mode: ReadMode = .mayBlock, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    try read(at: sortKeys(in: range), mode, body)
  }

  package func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    try items(at: sortKeys(in: range))
  }
}

/// Items that are in memory or computed, and never change. The sort key of an item is its index.
package protocol NonblockingItemSource: ItemSource {
  var count: Int { get }

  func read(at sortKeys: [Int64], _ body: (ItemBytes) -> Void)

  func index(of id: String) -> Int?
}

extension NonblockingItemSource {
  package var sortKeys: SortKeys { .indices(count: count) }

  package func sortKeys(in range: Range<Int>) -> [Int64] { range.map { Int64($0) } }

  package func read(at sortKeys: [Int64], _ mode: ReadMode, _ body: (ItemBytes) -> Void) -> Bool {
    read(at: sortKeys, body)
    return true
  }

  package func indices(of ids: [String]) -> [Int?] { ids.map { index(of: $0) } }

  package var hasIndicesInMemory: Bool { true }
}

/// The id and fields of an item as bytes, which are valid only during the call that receives them.
package struct ItemBytes {
  /// UTF-8.
  package let id: UnsafeRawBufferPointer
  /// A compact JSON object.
  package let fields: UnsafeRawBufferPointer

  package init(id: UnsafeRawBufferPointer, fields: UnsafeRawBufferPointer) {
    self.id = id
    self.fields = fields
  }
}

package struct ItemContent: Hashable, Sendable {
  package let id: String
  package let fields: Fields

  package init(id: String, fields: Fields) {
    self.id = id
    self.fields = fields
  }

  package func withBytes(_ body: (ItemBytes) -> Void) {
    var id = id
    id.withUTF8 { id in
      fields.json.withUnsafeBytes { fields in
        body(ItemBytes(id: UnsafeRawBufferPointer(id), fields: fields))
      }
    }
  }
}
