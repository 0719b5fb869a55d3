import Catalogue
import Synchronization

/// What items say, as far as it was asked for lately: so that most windows need nothing of the
/// database.
///
/// There are two generations: what is asked for goes to the young one, and when that takes half of
/// the memory it becomes the old, whose rest is dropped.
///
/// - Complexity: O(1) for each item; memory is bounded.
final class ContentCache: Sendable {
  /// An item of a strip, which has another number each time that it is loaded.
  private struct Key: Hashable {
    let load: Int
    let position: Int64
  }

  /// How long what an item says is known to hold.
  enum Until {
    /// Up to this revision; the next one changed it.
    case past(Int64)
    /// At this revision, and after it until the position is touched.
    case present(Int64)
  }

  /// What an item says from revision `since` on.
  struct Entry {
    let content: ItemContent
    let since: Int64
    let until: Until
  }

  private struct State {
    var young: [Key: Entry] = [:]
    var old: [Key: Entry] = [:]
    /// Bytes of the young.
    var size = 0
    var loads = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter limit: bytes that are kept, about.
  init(limit: Int) { self.limit = limit }

  /// A number for a strip that is loaded.
  func newLoad() -> Int {
    state.withLock { state in
      state.loads += 1
      return state.loads
    }
  }

  /// What the items at `positions` say at a revision; nil where that is not known of each.
  func find(
    _ positions: [Int64], of load: Int, at revision: Int64, _ touched: TouchedPositions
  ) -> [ItemContent]? {
    let last = touched.last(positions)
    return state.withLock { state in
      var found: [ItemContent] = []
      found.reserveCapacity(positions.count)
      for (place, position) in positions.enumerated() {
        let key = Key(load: load, position: position)
        guard let entry = entry(key, &state), entry.since <= revision,
          entry.until.holds(at: revision, lastTouched: last[place])
        else { return nil }
        found.append(entry.content)
      }
      return found
    }
  }

  /// Keeps what items of a strip say, all at once: threads that fetch do not wait for one another
  /// with each item.
  func keep(_ entries: [(position: Int64, entry: Entry)], of load: Int) {
    state.withLock { state in
      for (position, entry) in entries {
        insert(entry, Key(load: load, position: position), &state)
      }
    }
  }

  private func entry(_ key: Key, _ state: inout State) -> Entry? {
    if let entry = state.young[key] { return entry }
    guard let entry = state.old.removeValue(forKey: key) else { return nil }
    insert(entry, key, &state)
    return entry
  }

  private func insert(_ entry: Entry, _ key: Key, _ state: inout State) {
    state.young[key] = entry
    state.size += 200 + entry.content.id.utf8.count + entry.content.fields.json.count
    guard state.size > limit / 2 else { return }
    state.old = state.young
    state.young = [:]
    state.size = 0
  }
}

extension ContentCache.Until {
  fileprivate func holds(at revision: Int64, lastTouched: Int64?) -> Bool {
    switch self {
    case .past(let last): revision <= last
    case .present(let known): revision <= known || (lastTouched ?? .min) <= known
    }
  }
}

/// The positions of one strip that have changed since it was loaded, each with the revision that
/// changed it last.
final class TouchedPositions: Sendable {
  private let last = Mutex<[Int64: Int64]>([:])

  /// How many there are.
  var count: Int { last.withLock { $0.count } }

  func add(_ positions: some Sequence<Int64>, at revision: Int64) {
    last.withLock { last in for position in positions { last[position] = revision } }
  }

  /// The revisions that changed these positions last; nil for none.
  func last(_ positions: [Int64]) -> [Int64?] {
    last.withLock { last in
      last.isEmpty ? Array(repeating: nil, count: positions.count) : positions.map { last[$0] }
    }
  }
}
