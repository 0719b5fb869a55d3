import Synchronization
package import Windowing

/// Strips by name, each at its newest revision or at an older one. Many threads call these functions at once.
package protocol StripCatalogue: Sendable {
  // These functions may block: they can read a file, or query a database.

  /// At most `limit` strips after the strip `after`, in order of creation.
  ///
  /// - Throws: `.noSuchStrip` if there is no strip `after`.
  func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary]

  /// The snapshot of a strip. Without a name, of the first strip. Without a revision, the newest snapshot.
  ///
  /// - Throws: `.revisionNotLoaded` for a revision that this server has not read yet.
  func snapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot

  /// The newest revisions of strips, for event streams, from memory or from one small query. The result
  /// omits strips that do not exist.
  func newestRevisions(of names: [String]) throws(CatalogueError) -> [String: Int64]

  /// The stored list of this name for views of a strip; nil if there is none. A list never changes.
  ///
  /// The store deletes unused lists, and each call is a use. So a caller that caches the list calls again once a day.
  ///
  /// - Throws: `.unavailable` if the store cannot be reached.
  func list(_ name: String, of strip: String) throws(CatalogueError) -> ItemList?

  /// Loads the strips that take long to load, so that no request waits for them.
  func load(_ progress: LoadProgress) throws(CatalogueError)

  /// Reads the edits that other processes have committed to a strip now, without the usual delay.
  func refresh(_ strip: String) throws(CatalogueError)

  // These functions never block.

  /// Nil if the snapshot is not in memory.
  func cachedSnapshot(of name: String?, at revision: Int64?) throws(CatalogueError) -> Snapshot?

  /// The memory of the strips; nil if they are constant.
  var memory: MemoryBudget? { get }

  /// Nil if the catalogue has no store.
  var status: StoreStatus? { get }
}

/// The progress of `StripCatalogue.load(_:)`: one thread counts, other threads read.
package final class LoadProgress: Sendable {
  private let expected = Atomic(0)
  private let done = Atomic(0)
  private let waiting = Mutex<String?>(nil)

  package init() {}

  /// The number of items to read, as far as it is known.
  package var total: Int { expected.load(ordering: .relaxed) }

  package var loaded: Int { done.load(ordering: .relaxed) }

  /// Why nothing can be read now, as a sentence for the operator; nil if reading is possible.
  package var unavailabilityReason: String? {
    get { waiting.withLock { $0 } }
    set { waiting.withLock { $0 = newValue } }
  }

  package func expect(_ count: Int) { expected.add(count, ordering: .relaxed) }

  package func add(_ count: Int) { done.add(count, ordering: .relaxed) }
}

/// Status figures of a store for operators.
package struct StoreStatus: Sendable {
  /// The number of strips in memory, their approximate bytes, and the limit in bytes.
  package let strips: (count: Int, bytes: Int, limit: Int)
  /// The time since the catalogue last compared itself with the store: less than a few seconds if it can be reached.
  package let contactAge: Duration
  /// The size of the write-ahead log. Nil if the store does not report it.
  package let logBytes: Int?
  /// The size of the store a few seconds ago. Nil before the first measurement.
  package let size: StoreSize?
  /// The most bytes of the store's page caches in this process. SQLite limits each of them, so they are a fixed share
  /// of the memory. Nil if the store has none.
  package let pageCacheLimit: Int?
  /// The number of items in strips whose columns for views are not prepared yet.
  package let pendingItems: Int
  /// The number of reads of damaged rows since the process started.
  package let damagedRows: Int

  package init(
    strips: (count: Int, bytes: Int, limit: Int), contactAge: Duration, logBytes: Int?,
    size: StoreSize?, pageCacheLimit: Int?, pendingItems: Int, damagedRows: Int
  ) {
    self.strips = strips
    self.contactAge = contactAge
    self.logBytes = logBytes
    self.size = size
    self.pageCacheLimit = pageCacheLimit
    self.pendingItems = pendingItems
    self.damagedRows = damagedRows
  }
}

/// What a store takes on its disk.
package struct StoreSize: Hashable, Sendable {
  /// The size of all tables, with their free pages.
  package let bytes: Int
  /// The size of free pages, which new rows use first. Nil if the store does not count them.
  package let freeBytes: Int?
  /// The number of deletions that maintenance has not finished: superseded items, layouts and strips.
  package let pendingDeletions: Int

  package init(bytes: Int, freeBytes: Int?, pendingDeletions: Int) {
    self.bytes = bytes
    self.freeBytes = freeBytes
    self.pendingDeletions = pendingDeletions
  }
}

extension StripCatalogue {
  package var memory: MemoryBudget? { nil }

  package var status: StoreStatus? { nil }

  package func list(_ name: String, of strip: String) throws(CatalogueError) -> ItemList? { nil }

  package func load(_ progress: LoadProgress) throws(CatalogueError) {}

  package func refresh(_ strip: String) throws(CatalogueError) {}
}

/// A strip at one revision, which does not change. A class, because requests pass it on often.
package final class Snapshot: Sendable {
  package let name: String
  package let settings: StripSettings
  package let revision: Int64
  /// Sizes, kinds and groups of all items, by index.
  package let strip: Strip
  /// Ids and fields of the items, by index.
  package let source: any ItemSource
  package let kindsByName: [(name: String, kind: Kind)]
  /// The JSON that all items of a kind have in common, by the number of the kind: `,"kind":"album","slot":"album-`.
  package let kindMembers: [[UInt8]]
  package let arrangements: SharedArrangements
  package let columns: SharedColumns
  /// The query of a view; nil for the strip itself.
  package let view: ViewQuery?
  /// The memory of the layout, and of what it shares with other snapshots.
  private let memory: [MemoryReservation]

  /// - Parameters:
  ///   - arrangements, columns: those of the previous snapshot, if any.
  ///   - memory: the reservations of the layout. None for a view and a constant strip, which count elsewhere.
  ///   - other: a snapshot of the same strip. Usually it has the same kinds, and their JSON is reused.
  package init(
    name: String, settings: StripSettings, revision: Int64, strip: Strip, source: any ItemSource,
    arrangements: SharedArrangements = SharedArrangements(), columns: SharedColumns? = nil,
    view: ViewQuery? = nil,
    memory: [MemoryReservation] = [], kindsOf other: Snapshot? = nil
  ) {
    self.name = name
    self.settings = settings
    self.revision = revision
    self.strip = strip
    self.source = source
    if let other, other.strip.kinds == strip.kinds {
      (kindsByName, kindMembers) = (other.kindsByName, other.kindMembers)
    } else {
      kindsByName = strip.kinds.enumerated().map { ($1, Kind(number: $0)) }.sorted { $0.0 < $1.0 }
      kindMembers = strip.kinds.map { Array(#","kind":"\#($0)","slot":"\#($0)-"#.utf8) }
    }
    self.arrangements = arrangements
    self.columns = columns ?? SharedColumns(at: revision)
    self.view = view
    self.memory = memory
  }
}

/// Whether a read may wait for the store.
package enum ReadMode: Sendable {
  /// Reads only memory. Threads that answer requests use this mode.
  case cachedOnly
  /// Also reads the store. Threads of a work queue use this mode.
  case mayBlock
}

/// The ids and fields of the items of one snapshot. Each item has a key and an index, also a hidden item.
///
/// Functions without a `ReadMode` may block. Functions throw `.revisionGone` if the store has replaced the whole strip.
package protocol ItemSource: Sendable {
  /// The keys of all items. A view has those of its strip.
  var keys: SortKeys { get }

  /// The keys of the items in `range`, in the order of the snapshot.
  func keys(in range: Range<Int>) -> [Int64]

  /// Passes the id and fields of the items with these keys to `body`, in this order.
  ///
  /// - Precondition: The snapshot has the keys. This holds for all functions with keys.
  /// - Returns: false if `mode` is `.cachedOnly` and an item is not in memory. The caller then discards the output
  ///   of `body`.
  func read(
    at keys: [Int64], _ mode: ReadMode, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool

  /// The whole items with these keys, in this order.
  func items(at keys: [Int64]) throws(CatalogueError) -> [Item]

  /// The index of each of these items, or nil. One round trip to a database, or three if some items are absent.
  func indices(of ids: [String]) throws(CatalogueError) -> [Int?]

  /// The index of one item: see `indices(of:)`.
  func index(of id: String) throws(CatalogueError) -> Int?

  /// Whether `indices(of:)` and `index(of:)` never block.
  var hasIndicesInMemory: Bool { get }
}

extension ItemSource {
  package func keys(in range: Range<Int>) -> [Int64] { keys[range] }

  package func index(of id: String) throws(CatalogueError) -> Int? { try indices(of: [id])[0] }

  @discardableResult
  package func read(
    _ range: Range<Int>, _ mode: ReadMode = .mayBlock, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    try read(at: keys(in: range), mode, body)
  }

  package func items(in range: Range<Int>) throws(CatalogueError) -> [Item] {
    try items(at: keys(in: range))
  }
}

/// Items that are in memory or computed, and never change. The key of an item is its index.
package protocol NonblockingItemSource: ItemSource {
  var count: Int { get }

  func read(at keys: [Int64], _ body: (ItemBytes) -> Void)

  func index(of id: String) -> Int?
}

extension NonblockingItemSource {
  package var keys: SortKeys { .indices(count: count) }

  package func keys(in range: Range<Int>) -> [Int64] { range.map { Int64($0) } }

  package func read(at keys: [Int64], _ mode: ReadMode, _ body: (ItemBytes) -> Void) -> Bool {
    read(at: keys, body)
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
