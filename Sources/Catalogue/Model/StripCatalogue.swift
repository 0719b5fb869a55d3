package import Windowing

/// Strips by name, each at its newest revision or at an older one that is still held. The server reads these.
///
/// The functions say whether they may block. The server first calls functions that never block. If they
/// have no answer, a thread that may block calls the others.
///
/// One contract suite in the tests runs over every kind of catalogue. Calls come from many threads
/// at once.
package protocol StripCatalogue: Sendable {
  // These functions may block: they can read a file, or query a database.

  /// The names of strips in the order in which they were made: those after `after`, at most `limit`.
  ///
  /// - Throws: `.noSuchStrip` if there is no strip `after`.
  func names(after: String?, limit: Int) throws(CatalogueError) -> [String]

  /// Strips without their items, at their newest revisions, in the order in which they were made: those
  /// after `after`, at most `limit`.
  ///
  /// - Throws: `.noSuchStrip` if there is no strip `after`.
  func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary]

  /// The strip of this name, or the first one, at this revision, or the newest.
  ///
  /// Waits up to a second for a revision that this server has not loaded yet.
  ///
  /// - Throws: `.behind` after that second.
  func edition(of name: String?, at revision: Int64?) throws(CatalogueError) -> Edition

  /// The revision that was each strip's newest at a moment, by the store's clock: one query for all. For a
  /// strip that is younger it is the oldest revision that is held. A strip that is not there is left out. Nil
  /// if the store records no times.
  ///
  /// The store itself is queried, not the memory of this catalogue. So all servers get the same
  /// answer once earlier changes are committed.
  ///
  /// - Parameter moment: microseconds since 1970, less than a minute ago. Older revisions may be gone.
  /// - Throws: `.unavailable` if the store cannot be reached.
  func revisions(
    of names: [String], before moment: Int64
  ) throws(CatalogueError) -> [String: Int64]?

  /// The newest revisions of strips, for event streams: from memory, or with one small query for all of
  /// them. It never loads a strip. A strip that is not there is left out.
  func newestRevisions(of names: [String]) throws(CatalogueError) -> [String: Int64]

  /// The stored list of this name for views of a strip; nil if there is none. A list never changes, but one
  /// that is missing can be stored later.
  ///
  /// Each call counts as a use. A caller that keeps the list calls again once a day, so that the list is not
  /// deleted.
  ///
  /// - Throws: `.unavailable` if the store cannot be reached.
  func list(_ name: String, of strip: String) throws(CatalogueError) -> ItemList?

  /// Loads the strips that take long to load, so that no request has to wait for them.
  ///
  /// - Parameter progress: counts the items, and how many of them are loaded.
  func load(_ progress: LoadProgress) throws(CatalogueError)

  /// Reads at once what others have committed to a strip, instead of a moment later.
  func refresh(_ strip: String) throws(CatalogueError)

  // These functions never block.

  /// The edition, if it is in memory; nil if only `edition(of:at:)` can tell.
  func cachedEdition(of name: String?, at revision: Int64?) throws(CatalogueError) -> Edition?

  /// Figures for operators. Nil if the catalogue has no store.
  var status: StoreStatus? { get }
}

/// Figures of a store for operators.
package struct StoreStatus: Sendable {
  /// Strips in memory, and their bytes, approximately.
  package let strips: (count: Int, bytes: Int, limit: Int)
  /// The time since the catalogue last compared itself with the store: a few seconds, unless the store
  /// cannot be reached.
  package let contactAge: Duration
  /// Bytes of the write-ahead log. Nil if the store does not tell.
  package let logBytes: Int?
  /// The items of strips whose columns for views are being prepared.
  package let pendingItems: Int

  package init(
    strips: (count: Int, bytes: Int, limit: Int), contactAge: Duration, logBytes: Int?,
    pendingItems: Int
  ) {
    self.strips = strips
    self.contactAge = contactAge
    self.logBytes = logBytes
    self.pendingItems = pendingItems
  }
}

extension StripCatalogue {
  package var status: StoreStatus? { nil }

  package func revisions(
    of names: [String], before moment: Int64
  ) throws(CatalogueError) -> [String: Int64]? { nil }

  /// Nil: the catalogue stores no lists.
  package func list(_ name: String, of strip: String) throws(CatalogueError) -> ItemList? { nil }

  /// Summaries of whole editions, for a catalogue that has them in memory.
  package func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    try names(after: after, limit: limit).map { name throws(CatalogueError) in
      StripSummary(try edition(of: name, at: nil))
    }
  }

  /// Does nothing: no strip takes long to load.
  package func load(_ progress: LoadProgress) throws(CatalogueError) {}

  /// Does nothing: no other process writes.
  package func refresh(_ strip: String) throws(CatalogueError) {}
}

/// A strip at one revision: a snapshot that does not change.
///
/// A class, so that each function of a request passes one reference.
package final class Edition: Sendable {
  package let name: String
  package let settings: StripSettings
  package let revision: Int64
  /// Sizes, kinds and groups of all items, by index.
  package let strip: Strip
  /// Ids and fields of the items, by index.
  package let source: any ItemSource
  /// The strip's kinds in the order of their names.
  package let kindsByName: [(name: String, kind: Kind)]
  package let kindNames: KindNames
  /// The pools that were needed before.
  package let pools: SharedPools
  /// The columns that views of the strip were made from.
  package let columns: SharedColumns
  /// The parameters that this is a view by; nil if it is the strip itself.
  package let view: ViewQuery?

  /// - Parameters:
  ///   - pools: those of the edition before, if there is one. They follow edits.
  ///   - columns: those of the edition before, if there is one.
  ///   - other: an edition of the same strip, with the same kinds as a rule.
  package init(
    name: String, settings: StripSettings, revision: Int64, strip: Strip, source: any ItemSource,
    pools: SharedPools = SharedPools(), columns: SharedColumns? = nil, view: ViewQuery? = nil,
    kindsOf other: Edition? = nil
  ) {
    self.name = name
    self.settings = settings
    self.revision = revision
    self.strip = strip
    self.source = source
    if let other, other.strip.kinds == strip.kinds {
      (kindsByName, kindNames) = (other.kindsByName, other.kindNames)
    } else {
      kindsByName = strip.kinds.enumerated().map { ($1, Kind(number: $0)) }.sorted { $0.0 < $1.0 }
      kindNames = KindNames(strip.kinds)
    }
    self.pools = pools
    self.columns = columns ?? SharedColumns(at: revision)
    self.view = view
  }
}

/// Ids and fields of the items of one edition, by index. Hidden items have an index too.
package protocol ItemSource: Sendable {
  // These functions may block.

  /// Id and fields of the items in `range`, in order.
  ///
  /// - Throws: `.revisionGone` if the store has since replaced the strip as a whole.
  func contents(of range: Range<Int>) throws(CatalogueError) -> [ItemContent]

  /// Passes the same to `body` as bytes, without a `String` or an array for each item.
  func read(_ range: Range<Int>, _ body: (ItemBytes) -> Void) throws(CatalogueError)

  /// The whole items in `range`, in order.
  func items(in range: Range<Int>) throws(CatalogueError) -> [Item]

  /// The index of the item `id`, or nil.
  func index(of id: String) throws(CatalogueError) -> Int?

  /// The index of each of these items, or nil. One round trip to a database for all of them, or three if some are
  /// absent.
  func indices(of ids: [String]) throws(CatalogueError) -> [Int?]

  /// Id and fields of the items with these keys, in this order.
  ///
  /// - Precondition: The edition has the keys.
  func contents(at keys: [Int64]) throws(CatalogueError) -> [ItemContent]

  /// Passes the same to `body` as bytes.
  func read(at keys: [Int64], _ body: (ItemBytes) -> Void) throws(CatalogueError)

  /// The whole items with these keys, in this order.
  func items(at keys: [Int64]) throws(CatalogueError) -> [Item]

  /// The columns that the store holds of these items; nil if it has none that fit.
  ///
  /// - Parameter settings: those of the edition.
  func storedColumns(of settings: StripSettings) throws(CatalogueError) -> StoredColumns?

  // These functions never block.

  /// The keys of all items.
  var keys: ItemKeys { get }

  /// Passes the items with these keys to `body`, in this order, if all of them are in memory.
  ///
  /// - Returns: as for a range.
  func cachedRead(
    at keys: [Int64], _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool

  /// Passes the items in `range` to `body`, if all of them are at hand.
  ///
  /// - Returns: false if they are not. The caller then discards what `body` has got.
  func cachedRead(
    _ range: Range<Int>, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool

  /// The index of the item `id`, as far as memory can tell.
  func cachedIndex(of id: String) throws(CatalogueError) -> CachedIndex
}

/// What memory can tell about the index of an item.
package enum CachedIndex: Hashable, Sendable {
  case found(Int)
  /// The strip has no such item.
  case absent
  /// Only the store can tell.
  case unknown
}

extension ItemSource {
  package func indices(of ids: [String]) throws(CatalogueError) -> [Int?] {
    try ids.map { id throws(CatalogueError) in try index(of: id) }
  }

  package func storedColumns(of settings: StripSettings) -> StoredColumns? { nil }

  package func read(_ range: Range<Int>, _ body: (ItemBytes) -> Void) throws(CatalogueError) {
    for content in try contents(of: range) { content.withBytes(body) }
  }

  package func read(at keys: [Int64], _ body: (ItemBytes) -> Void) throws(CatalogueError) {
    for content in try contents(at: keys) { content.withBytes(body) }
  }
}

/// A source whose functions never block: its items are in memory, or computed. Its items never change, so
/// their indices are their keys.
package protocol NonblockingItemSource: ItemSource {
  /// The number of items.
  var count: Int { get }
}

extension NonblockingItemSource {
  package var keys: ItemKeys { .indices(count: count) }

  package func contents(at keys: [Int64]) throws(CatalogueError) -> [ItemContent] {
    try keys.map { key throws(CatalogueError) in try contents(of: Int(key)..<Int(key) + 1)[0] }
  }

  package func items(at keys: [Int64]) throws(CatalogueError) -> [Item] {
    try keys.map { key throws(CatalogueError) in try items(in: Int(key)..<Int(key) + 1)[0] }
  }

  package func cachedRead(
    at keys: [Int64], _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    for key in keys { try read(Int(key)..<Int(key) + 1, body) }
    return true
  }

  package func cachedRead(
    _ range: Range<Int>, _ body: (ItemBytes) -> Void
  ) throws(CatalogueError) -> Bool {
    try read(range, body)
    return true
  }

  package func cachedIndex(of id: String) throws(CatalogueError) -> CachedIndex {
    try index(of: id).map(CachedIndex.found) ?? .absent
  }
}

/// Id and fields of an item, as bytes that are valid only during the call that gets them.
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

/// Id and fields of an item: what a card shows.
package struct ItemContent: Hashable, Sendable {
  package let id: String
  package let fields: Fields

  package init(id: String, fields: Fields) {
    self.id = id
    self.fields = fields
  }

  /// Calls `body` with the same as bytes.
  package func withBytes(_ body: (ItemBytes) -> Void) {
    var id = id
    id.withUTF8 { id in
      fields.json.withUnsafeBytes { fields in
        body(ItemBytes(id: UnsafeRawBufferPointer(id), fields: fields))
      }
    }
  }
}
