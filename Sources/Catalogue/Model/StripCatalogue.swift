package import Items
import Synchronization
package import Views
import Windowing

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

  package var loaded: Int {
    get { done.load(ordering: .relaxed) }
    set { done.store(newValue, ordering: .relaxed) }
  }

  /// Why nothing can be read now, as a sentence for the operator; nil if reading is possible.
  package var unavailabilityReason: String? {
    get { waiting.withLock { $0 } }
    set { waiting.withLock { $0 = newValue } }
  }

  package func expect(_ count: Int) { expected.add(count, ordering: .relaxed) }
}

/// Status figures of a store for operators.
package struct StoreStatus: Sendable {
  /// The number of strips in memory, their approximate bytes, and the limit in bytes.
  package let strips: (count: Int, bytes: Int, limit: Int)
  /// The time since the catalogue last compared itself with the store: less than a few seconds if it can be reached.
  package let contactAge: Duration
  /// The size of the write-ahead log. Nil if the store does not report it.
  package let walBytes: Int?
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
    strips: (count: Int, bytes: Int, limit: Int), contactAge: Duration, walBytes: Int?,
    size: StoreSize?, pageCacheLimit: Int?, pendingItems: Int, damagedRows: Int
  ) {
    self.strips = strips
    self.contactAge = contactAge
    self.walBytes = walBytes
    self.size = size
    self.pageCacheLimit = pageCacheLimit
    self.pendingItems = pendingItems
    self.damagedRows = damagedRows
  }
}

/// The space that a store takes on its disk.
package struct StoreSize: Hashable, Sendable {
  /// The size of all tables, with their free pages.
  package let bytes: Int
  /// The size of free pages, which new rows use first. Nil if the store does not count them.
  package let freeBytes: Int?
  /// The number of deletions that maintenance has not finished: superseded items, generations and strips.
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
