import HTTP
import Synchronization

/// How many connections there are from each address.
final class AddressCounter: Sendable {
  private let counts = Mutex<[Peer: Int]>([:])
  private let limit: Int

  /// A `limit` of 0 is none.
  init(limit: Int) { self.limit = limit }

  /// Counts one more from `peer`; false, and does not, where that is too many.
  func enter(_ peer: Peer) -> Bool {
    guard limit > 0 else { return true }
    return counts.withLock { counts in
      guard counts[peer, default: 0] < limit else { return false }
      counts[peer, default: 0] += 1
      return true
    }
  }

  func leave(_ peer: Peer) {
    guard limit > 0 else { return }
    counts.withLock { counts in
      guard let count = counts[peer] else { return }
      counts[peer] = count > 1 ? count - 1 : nil
    }
  }
}
