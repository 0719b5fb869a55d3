import Catalogue
package import HTTP
import Items
import Synchronization
import Views
import Windowing

/// A cached window. It is a class, so that a search copies one reference only.
package final class CachedWindow: Sendable {
  /// The strip and the revision of the request; nil for the first strip, and for the newest revision.
  let strip: String?
  let revision: Int64?
  /// The strip and the revision of the window. A revision alone does not identify a strip: all
  /// strips of a restored database have the same one.
  let found: (strip: String, revision: Int64)
  let representation: Representation

  package init(
    strip: String?, revision: Int64?, found: (strip: String, revision: Int64),
    representation: Representation
  ) {
    self.strip = strip
    self.revision = revision
    self.found = found
    self.representation = representation
  }
}

/// Caches windows by their query strings. A window is valid while the catalogue finds the same strip
/// at the same revision.
///
/// A window is cached at the second request with its query. So windows at random offsets, which are
/// requested once, take no memory.
///
/// - Complexity: O(length of the query).
package final class WindowCache: Sendable {
  private struct State {
    var windows: BoundedCache<QueryKey, CachedWindow>
    /// The upper halves of hashes of recent queries, in a 4-way set-associative table. With one entry
    /// in each set, two alternating queries of one set would always replace each other.
    var recent = [SIMD4<UInt32>](repeating: .zero, count: 1 << 12)

    /// Records a query. Returns whether it came before.
    mutating func record(_ key: QueryKey) -> Bool {
      let bucket = Int(key.fingerprint % UInt64(recent.count))
      // One bit is always set, because zero means an empty entry.
      let mark = UInt32(truncatingIfNeeded: key.fingerprint >> 32) | 1
      let marks = recent[bucket]
      if any(marks .== mark) { return true }
      recent[bucket] = [mark, marks[0], marks[1], marks[2]]
      return false
    }
  }

  private let state: Mutex<State>
  private let memory: MemoryBudget
  private let hitCount = Atomic(0)
  private let missCount = Atomic(0)

  /// - Parameter limit: the most bytes of windows, approximately, without their compressed forms.
  package init(limit: Int = 32 << 20) {
    memory = MemoryBudget(limit: limit)
    state = Mutex(State(windows: BoundedCache(memory)))
  }

  /// The window, and whether the query came before.
  package func find(_ query: Bytes) -> (window: CachedWindow?, isRepeated: Bool) {
    let key = QueryKey(query)
    return state.withLock { state in
      if let window = state.windows.find(key) { return (window, true) }
      return (nil, state.record(key))
    }
  }

  package var bytes: (used: Int, limit: Int) { (memory.used, memory.limit) }

  /// Requests with a valid cached window, and those without.
  package var hits: Int { hitCount.load(ordering: .relaxed) }
  package var misses: Int { missCount.load(ordering: .relaxed) }

  func count(hit: Bool) {
    if hit { hitCount.add(1, ordering: .relaxed) } else { missCount.add(1, ordering: .relaxed) }
  }

  package func insert(_ window: CachedWindow, for query: Bytes) {
    // The key is a copy. A slice would keep the request's head in memory.
    let key = QueryKey(Array(query)[...])
    let cost = window.representation.count + key.bytes.count + 1024
    state.withLock { $0.windows.insert(window, for: key, cost: cost) }
  }
}

/// The bytes of a query, with a hash that is computed once.
private struct QueryKey: Hashable {
  let bytes: Bytes
  let fingerprint: UInt64

  init(_ bytes: Bytes) {
    self.bytes = bytes
    fingerprint = bytes.withUnsafeBytes { Fingerprint($0, seed: Self.seed).hash64 }
  }

  private static let seed = UInt64.random(in: .min ... .max)

  func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }

  static func == (left: QueryKey, right: QueryKey) -> Bool {
    left.fingerprint == right.fingerprint && left.bytes.equals(right.bytes)
  }
}
