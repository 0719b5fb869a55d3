import HTTP
import Synchronization

/// Limits the memory of the request bodies of the whole server.
///
/// A body counts from its first byte until its request is answered. The bodies of one owner get at
/// most 7/8 of what the bodies of other owners leave free, so one owner cannot fill the budget.
final class BodyBudget: Sendable {
  enum Owner: Hashable {
    case client(Peer)
    /// The value of `Authorization`, if the handler has accepted it.
    case token([UInt8])
  }

  private let state = Mutex((total: 0, owned: [Owner: Int]()))
  let limit: Int
  /// A body of this size is accepted if it fits in the budget, whatever the share of its owner.
  private let usualSize: Int

  init(limit: Int, usualSize: Int) {
    self.limit = limit
    self.usualSize = usualSize
  }

  /// The most bytes that one owner gets.
  var share: Int { share(of: limit) }

  private func share(of free: Int) -> Int { max(min(usualSize, free), free - free / 8) }

  var reserved: Int { state.withLock { $0.total } }

  /// Reserves `bytes`. False, without reserving them, if that would exceed the budget or the share
  /// of `owner`.
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

/// Limits the memory of the response bodies of the whole server.
///
/// A body counts from the start of its response until the response is sent or the connection fails.
/// A cached body that several connections send counts once.
///
/// - Complexity: a lock and a dictionary lookup for each large body. A small body takes neither.
final class AnswerBudget: Sendable {
  /// Identifies a body: the address of its first byte. The response keeps the body in memory.
  struct Key: Hashable {
    fileprivate let address: UInt
  }

  enum Reservation {
    case unnecessary, exceeded
    case reserved(Key)
  }

  private struct State {
    var reserved = 0
    /// The size of each body, and the number of connections that send it.
    var bodies: [Key: (count: Int, users: Int)] = [:]
  }

  /// Smaller bodies do not count. The limit of connections bounds their memory.
  private static let smallestCount = 16 * 1024

  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  var reserved: Int { state.withLock { $0.reserved } }

  /// Reserves the memory of the body in the answer to `method`, for one connection. A body above the
  /// limit is accepted only while no other body is reserved.
  func reserve(_ response: Response, to method: Method) -> Reservation {
    guard response.sentCount(to: method) >= Self.smallestCount else { return .unnecessary }
    let body = response.body.bytes
    let key = Key(address: body.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
    return state.withLock { state in
      if let body = state.bodies[key] {
        state.bodies[key] = (body.count, body.users + 1)
        return .reserved(key)
      }
      guard state.reserved == 0 || state.reserved + body.count <= limit else { return .exceeded }
      state.reserved += body.count
      state.bodies[key] = (body.count, 1)
      return .reserved(key)
    }
  }

  func release(_ key: Key) {
    state.withLock { state in
      guard let body = state.bodies[key] else { return }
      guard body.users == 1 else {
        state.bodies[key]?.users -= 1
        return
      }
      state.bodies[key] = nil
      state.reserved -= body.count
    }
  }
}
