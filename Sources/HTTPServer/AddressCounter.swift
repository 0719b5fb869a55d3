import HTTP
import Synchronization

/// Counts the open connections of each address. IPv6 addresses with the same /64 prefix count as one.
package final class AddressCounter: Sendable {
  private let counts = Mutex<[Peer: Int]>([:])
  /// 0 for no limit.
  package let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The connections of the address that has the most. O(addresses).
  package var greatestCount: Int { counts.withLock { $0.values.max() ?? 0 } }

  /// Counts a connection from `peer`. False, without counting it, if that would exceed the limit.
  func add(_ peer: Peer) -> Bool {
    guard limit > 0 else { return true }
    let peer = peer.rateLimitKey
    return counts.withLock { counts in
      guard counts[peer, default: 0] < limit else { return false }
      counts[peer, default: 0] += 1
      return true
    }
  }

  func remove(_ peer: Peer) {
    guard limit > 0 else { return }
    let peer = peer.rateLimitKey
    counts.withLock { counts in
      guard let count = counts[peer] else { return }
      counts[peer] = count > 1 ? count - 1 : nil
    }
  }
}
