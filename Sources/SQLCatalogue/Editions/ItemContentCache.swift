import Catalogue
import Synchronization

/// What items say, as far as readers asked for it lately, so that most windows need no round trip to the
/// database.
///
/// - Complexity: O(1) for each item; memory is bounded.
final class ItemContentCache: Sendable {
  /// What an item says from `firstRevision` to `lastRevision`.
  struct Entry: Sendable {
    let content: ItemContent
    let firstRevision: Int64
    /// The last revision for which this is known.
    let lastRevision: Int64
    /// Whether the next revision changed the item. Else it is valid until the position is touched.
    let isSuperseded: Bool
  }

  private struct Key: Hashable, Sendable {
    let load: Int
    let position: Int64
  }

  private let entries: Mutex<BoundedCache<Key, Entry>>

  init(limit: Int) { entries = Mutex(BoundedCache(limit: limit)) }

  /// What the items at `positions` say at a revision; nil unless all of it is cached.
  func find(
    _ positions: [Int64], at revision: Int64, _ touched: ChangedKeys
  ) -> [ItemContent]? {
    let last = touched.last(positions)
    return entries.withLock { entries in
      var found: [ItemContent] = []
      found.reserveCapacity(positions.count)
      for (index, position) in positions.enumerated() {
        guard let entry = entries.find(Key(load: touched.load, position: position)),
          entry.firstRevision <= revision,
          revision <= entry.lastRevision
            || (!entry.isSuperseded && (last[index] ?? .min) <= entry.lastRevision)
        else { return nil }
        found.append(entry.content)
      }
      return found
    }
  }

  func store(_ new: [Entry], at positions: [Int64], _ touched: ChangedKeys) {
    entries.withLock { entries in
      for (entry, position) in zip(new, positions) {
        entries.insert(
          entry, for: Key(load: touched.load, position: position),
          cost: 200 + entry.content.id.utf8.count + entry.content.fields.json.count)
      }
    }
  }
}

/// The positions of a strip that changed since it was loaded, each with the revision that changed it last.
final class ChangedKeys: Sendable {
  /// Tells the loads of all strips apart.
  let load = nextLoad.wrappingAdd(1, ordering: .relaxed).oldValue
  private static let nextLoad = Atomic(0)

  private let revisions = Mutex<[Int64: Int64]>([:])
  private let memory: MemoryReservation

  init(of budget: MemoryBudget) { memory = MemoryReservation(0, of: budget) }

  var count: Int { revisions.withLock { $0.count } }

  func add(_ positions: some Sequence<Int64>, at revision: Int64) {
    revisions.withLock { revisions in
      for position in positions { revisions[position] = revision }
      // A key and a revision, in a table that is up to twice as large.
      memory.resize(to: 22 * revisions.capacity)
    }
  }

  /// The revisions that changed these positions last; nil for a position that did not change.
  func last(_ positions: [Int64]) -> [Int64?] {
    revisions.withLock { revisions in
      revisions.isEmpty
        ? Array(repeating: nil, count: positions.count) : positions.map { revisions[$0] }
    }
  }
}
