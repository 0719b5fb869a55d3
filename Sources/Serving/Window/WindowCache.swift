import Catalogue
import HTTP
import Synchronization

/// A window that is ready to be sent again, and what tells whether it is still valid.
///
/// It is a class, so that a search copies one reference only.
final class CachedWindow: Sendable {
  /// The strip and the revision of the request; nil for the first strip, and for the newest revision.
  let strip: String?
  let revision: Int64?
  /// The revision that was found.
  let found: Int64
  let answer: Representation

  init(strip: String?, revision: Int64?, found: Int64, answer: Representation) {
    self.strip = strip
    self.revision = revision
    self.found = found
    self.answer = answer
  }
}

/// The windows that were requested recently, by their queries.
///
/// A window is valid as long as the catalogue finds the same revision: a revision never changes. It is
/// cached when its query comes for the second time. So a window that is requested once, of a reader
/// at a random offset, costs no memory.
///
/// - Complexity: O(length of the query). Memory is bounded.
final class WindowCache: Sendable {
  private struct State {
    var windows: BoundedCache<QueryKey, CachedWindow>
    /// Hashes of queries that came recently: at the bucket that half of the hash names, the other halves of
    /// the last four. With one at each bucket, two queries that share a bucket would never be recognized.
    /// The lowest bit says whether the query came more than once.
    var recent = [SIMD4<UInt32>](repeating: .zero, count: 1 << 12)

    /// Records that a query came, if it is new, and says whether it came before.
    mutating func recordRequest(_ key: QueryKey, isNew: Bool) -> Bool {
      let bucket = Int(key.fingerprint % UInt64(recent.count))
      // Bit 1 is set so that no mark is zero, which stands for none.
      let mark = UInt32(truncatingIfNeeded: key.fingerprint >> 32) & ~1 | 2
      let marks = recent[bucket]
      for lane in 0..<4 where marks[lane] & ~1 == mark {
        if isNew { recent[bucket][lane] |= 1 }
        return recent[bucket][lane] & 1 == 1
      }
      if isNew { recent[bucket] = [mark, marks[0], marks[1], marks[2]] }
      return false
    }
  }

  private let state: Mutex<State>
  private let hitCount = Atomic(0)
  private let missCount = Atomic(0)

  /// - Parameter limit: approximate bytes of the windows, without their compressed forms.
  init(limit: Int = 32 << 20) { state = Mutex(State(windows: BoundedCache(limit: limit))) }

  /// The window for `query`, if it is cached; if not, whether the query comes repeatedly.
  ///
  /// - Parameter isNew: whether the request counts; false when it is looked up again.
  func find(
    _ query: Bytes, countingRequest isNew: Bool = true
  ) -> (window: CachedWindow?, isRepeated: Bool) {
    let key = QueryKey(query)
    return state.withLock { state in
      if let window = state.windows.find(key) { return (window, true) }
      return (nil, state.recordRequest(key, isNew: isNew))
    }
  }

  /// Approximate bytes of the windows, and the most of them.
  var bytes: (used: Int, limit: Int) { state.withLock { ($0.windows.totalCost, $0.windows.limit) } }

  /// How often a valid window was found, and how often none was.
  var hits: Int { hitCount.load(ordering: .relaxed) }
  var misses: Int { missCount.load(ordering: .relaxed) }

  /// Counts a search.
  func count(hit: Bool) {
    if hit { hitCount.add(1, ordering: .relaxed) } else { missCount.add(1, ordering: .relaxed) }
  }

  func insert(_ window: CachedWindow, for query: Bytes) {
    // A copy of the bytes, so that the head of the request is freed.
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
