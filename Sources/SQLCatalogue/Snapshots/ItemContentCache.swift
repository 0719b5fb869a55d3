import Items
import Synchronization
import Views
import Windowing

/// The contents that readers asked for lately, so that most windows need no round trip to the database.
final class ItemContentCache: Sendable {
  /// The content of an item, which is valid from `firstRevision` to `lastRevision`.
  struct Entry: Sendable {
    let content: ItemContent
    let firstRevision: Int64
    let lastRevision: Int64
    /// Whether the next revision changed the item. Else it is valid until its sort key changes.
    let isSuperseded: Bool
  }

  private struct Key: Hashable, Sendable {
    let load: Int
    let sortKey: Int64
  }

  private let entries: Mutex<BoundedCache<Key, Entry>>

  init(limit: Int) { entries = Mutex(BoundedCache(limit: limit)) }

  /// Nil unless all items are cached at the revision.
  func find(
    _ sortKeys: [Int64], at revision: Int64, _ changedSortKeys: ChangedSortKeys
  ) -> [ItemContent]? {
    let last = changedSortKeys.last(sortKeys)
    return entries.withLock { entries in
      var found: [ItemContent] = []
      found.reserveCapacity(sortKeys.count)
      for (index, sortKey) in sortKeys.enumerated() {
        guard let entry = entries.find(Key(load: changedSortKeys.load, sortKey: sortKey)),
          entry.firstRevision <= revision,
          revision <= entry.lastRevision
            || (!entry.isSuperseded && (last[index] ?? .min) <= entry.lastRevision)
        else { return nil }
        found.append(entry.content)
      }
      return found
    }
  }

  func store(_ new: [Entry], at sortKeys: [Int64], _ changedSortKeys: ChangedSortKeys) {
    entries.withLock { entries in
      for (entry, sortKey) in zip(new, sortKeys) {
        entries.insert(
          entry, for: Key(load: changedSortKeys.load, sortKey: sortKey),
          cost: 200 + entry.content.id.utf8.count + entry.content.fields.json.count)
      }
    }
  }
}

/// The sort keys that changed since the strip was loaded, each with the last revision that changed it.
final class ChangedSortKeys: Sendable {
  /// Identifies this load of a strip among the loads of all strips.
  let load = nextLoad.wrappingAdd(1, ordering: .relaxed).oldValue
  private static let nextLoad = Atomic(0)

  private let revisions = Mutex<[Int64: Int64]>([:])
  private let memory: MemoryReservation

  init(of budget: MemoryBudget) { memory = MemoryReservation(0, of: budget) }

  var count: Int { revisions.withLock { $0.count } }

  func add(_ sortKeys: some Sequence<Int64>, at revision: Int64) {
    revisions.withLock { revisions in
      for sortKey in sortKeys { revisions[sortKey] = revision }
      // A key and a revision, in a table that can be half empty.
      memory.resize(to: 22 * revisions.capacity)
    }
  }

  func last(_ sortKeys: [Int64]) -> [Int64?] {
    revisions.withLock { revisions in
      revisions.isEmpty
        ? Array(repeating: nil, count: sortKeys.count) : sortKeys.map { revisions[$0] }
    }
  }
}
