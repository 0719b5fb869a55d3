import Catalogue
import HTTP
import Synchronization

/// A cached window, with the strip and the revision that decide whether it is still valid.
///
/// It is a class, so that a search copies one reference only.
final class CachedWindow: Sendable {
  /// The strip and the revision of the request; nil for the first strip, and for the newest revision.
  let strip: String?
  let revision: Int64?
  /// The strip and the revision of the window. A revision alone does not identify a strip: all
  /// strips of a restored database have the same one.
  let found: (strip: String, revision: Int64)
  let answer: Representation

  init(
    strip: String?, revision: Int64?, found: (strip: String, revision: Int64),
    answer: Representation
  ) {
    self.strip = strip
    self.revision = revision
    self.found = found
    self.answer = answer
  }
}

/// Caches windows by their query strings.
///
/// A revision never changes. So a window is valid while the catalogue finds the same strip at the
/// same revision.
///
/// A window is cached at the second request with its query. So a window at a random offset, which
/// is requested once, takes no memory.
///
/// - Complexity: O(length of the query). Memory is bounded.
final class WindowCache: Sendable {
  private struct State {
    var windows: BoundedCache<QueryKey, CachedWindow>
    /// Hashes of recent queries, in a 4-way set-associative table.
    ///
    /// Part of a hash selects the set. The upper half of the hash is stored in the set. With one
    /// entry in each set, two alternating queries of one set would always replace each other.
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
  private let hitCount = Atomic(0)
  private let missCount = Atomic(0)

  /// - Parameter limit: the most bytes of windows, approximately, without their compressed forms.
  init(limit: Int = 32 << 20) { state = Mutex(State(windows: BoundedCache(limit: limit))) }

  /// The cached window for `query`, and whether the query came before.
  func find(_ query: Bytes) -> (window: CachedWindow?, isRepeated: Bool) {
    let key = QueryKey(query)
    return state.withLock { state in
      if let window = state.windows.find(key) { return (window, true) }
      return (nil, state.record(key))
    }
  }

  /// The bytes of the cached windows, approximately, and their limit.
  var bytes: (used: Int, limit: Int) { state.withLock { ($0.windows.totalCost, $0.windows.limit) } }

  /// The numbers of requests with and without a valid cached window.
  var hits: Int { hitCount.load(ordering: .relaxed) }
  var misses: Int { missCount.load(ordering: .relaxed) }

  func count(hit: Bool) {
    if hit { hitCount.add(1, ordering: .relaxed) } else { missCount.add(1, ordering: .relaxed) }
  }

  func insert(_ window: CachedWindow, for query: Bytes) {
    // The key is a copy. A slice would keep the request's head in memory.
    let key = QueryKey(Array(query)[...])
    let cost = window.answer.count + key.bytes.count + 1024
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
