import HTTP
import Synchronization

/// Limits the memory of the request bodies of the whole server.
///
/// A body counts from its first byte until its request is answered. One owner cannot fill the budget: an owner gets at
/// most 7/8 of the bytes that no other owner uses.
package final class BodyBudget: Sendable {
  enum Owner: Hashable {
    case client(Peer)
    /// The value of `Authorization`, if the handler has accepted it.
    case token([UInt8])
  }

  private let state = Mutex((total: 0, owned: [Owner: Int]()))
  package let limit: Int
  /// A body of this size is accepted if it fits in the budget, whatever the share of its owner.
  private let usualSize: Int

  init(limit: Int, usualSize: Int) {
    self.limit = limit
    self.usualSize = usualSize
  }

  /// The most bytes that one owner gets.
  var share: Int { share(of: limit) }

  private func share(of free: Int) -> Int { max(min(usualSize, free), free - free / 8) }

  package var reserved: Int { state.withLock { $0.total } }

  /// False, without reserving `bytes`, if that would exceed the share of `owner`.
  func reserve(_ bytes: Int, for owner: Owner) -> Bool {
    state.withLock { state in
      let owned = state.owned[owner, default: 0]
      guard owned + bytes <= share(of: limit - (state.total - owned)) else { return false }
      state.owned[owner] = owned + bytes
      state.total += bytes
      return true
    }
  }

  func release(_ bytes: Int, of owner: Owner) {
    state.withLock { state in
      let rest = state.owned[owner, default: 0] - bytes
      state.owned[owner] = rest > 0 ? rest : nil
      state.total -= bytes
    }
  }
}
