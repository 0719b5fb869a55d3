import HTTP
import Synchronization

/// The windows asked for lately, ready to be sent again, by the query that asked for them.
///
/// Each stands as long as the catalogue's edition is the one that it was made of: no number names
/// two contents. One is kept when its query comes for the second time, so that windows which nobody
/// asks for again (a reader at an offset of its own) cost no memory.
///
/// - Complexity: O(length of the query); memory is bounded.
final class WindowCache: Sendable {
  /// A window, and what tells whether it still stands.
  struct Kept: Sendable {
    /// The strip and the revision as they were asked for.
    let strip: String?
    let revision: Int64?
    /// The revision that was found.
    let found: Int64
    let answer: Representation
  }

  private struct State {
    var young: [QueryKey: Kept] = [:]
    var old: [QueryKey: Kept] = [:]
    /// Bytes of the young.
    var size = 0
    /// For each place the four queries asked there last, by the half of their hashes that is not the
    /// place. One for each place would keep two queries that meet there from ever being known.
    var asked = [SIMD4<UInt32>](repeating: .zero, count: 1 << 12)
  }

  private let state = Mutex(State())
  private let hitCount = Atomic(0)
  private let missCount = Atomic(0)
  private let limit: Int

  /// - Parameter limit: bytes of answers that are kept, about; their packed forms come to less.
  init(limit: Int = 32 << 20) { self.limit = limit }

  /// What was kept for `query`; where nothing was, whether it was asked before and not long ago.
  /// Notes that it was asked now.
  func ask(_ query: Bytes) -> (kept: Kept?, isAgain: Bool) {
    let key = QueryKey(query)
    return state.withLock { state in
      if let kept = state.young[key] { return (kept, true) }
      if !state.old.isEmpty, let kept = state.old.removeValue(forKey: key) {
        insert(kept, for: key, into: &state)
        return (kept, true)
      }
      return (nil, note(key, in: &state))
    }
  }

  /// How often a window was found that still stood, and how often none was.
  var hits: Int { hitCount.load(ordering: .relaxed) }
  var misses: Int { missCount.load(ordering: .relaxed) }

  /// Counts a search.
  func count(hit: Bool) {
    if hit { hitCount.add(1, ordering: .relaxed) } else { missCount.add(1, ordering: .relaxed) }
  }

  /// Keeps a window for `query`.
  func keep(_ kept: Kept, for query: Bytes) {
    // Bytes of its own, so that no request's head is held.
    let key = QueryKey(Array(query)[...])
    state.withLock { insert(kept, for: key, into: &$0) }
  }

  /// Notes that a query was asked, and says whether it was before.
  private func note(_ key: QueryKey, in state: inout State) -> Bool {
    let place = Int(key.print % UInt64(state.asked.count))
    let mark = UInt32(truncatingIfNeeded: key.print >> 32) | 1
    let others = state.asked[place]
    if any(others .== mark) { return true }
    state.asked[place] = [mark, others[0], others[1], others[2]]
    return false
  }

  /// What was not asked for since half of the memory was filled anew is let go.
  private func insert(_ kept: Kept, for key: QueryKey, into state: inout State) {
    state.young[key] = kept
    state.size += kept.answer.count + key.bytes.count + 1024
    guard state.size > limit / 2 else { return }
    state.old = state.young
    state.young = [:]
    state.size = 0
  }
}

/// A query's bytes, with a hash that is found once.
private struct QueryKey: Hashable {
  let bytes: Bytes
  let print: UInt64

  init(_ bytes: Bytes) {
    self.bytes = bytes
    print = bytes.withUnsafeBytes { Fingerprint($0, seed: Self.seed).hash64 }
  }

  private static let seed = UInt64.random(in: .min ... .max)

  func hash(into hasher: inout Hasher) { hasher.combine(print) }

  static func == (left: QueryKey, right: QueryKey) -> Bool {
    left.print == right.print && left.bytes.elementsEqual(right.bytes)
  }
}
