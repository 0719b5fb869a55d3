import HTTP
import Synchronization

/// Limits the memory of the response bodies of the whole server.
///
/// A body counts from the start of its response until the response is sent or the connection fails.
/// A cached body that several connections send counts once.
package final class ResponseBudget: Sendable {
  /// The address of a body's first byte. The response keeps the body in memory.
  typealias Key = UInt

  private struct State {
    var reserved = 0
    /// The size of each body, and the number of connections that send it.
    var bodies: [Key: (count: Int, users: Int)] = [:]
  }

  /// Smaller bodies do not count. The limit of connections bounds their memory.
  private static let smallestCount = 16 * 1024

  package let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  package var reserved: Int { state.withLock { $0.reserved } }

  /// Reserves the memory of the body in the response to `method`, for one connection. Nil if it does
  /// not count.
  ///
  /// - Parameter isRequired: whether the body is accepted whatever the limit is.
  /// - Throws: 503. Another body above the limit is accepted only while no other body is reserved.
  func reserve(
    _ response: Response, to method: Method, isRequired: Bool = false
  ) throws(Problem) -> Key? {
    guard case .bytes(let body) = response.body,
      response.sentCount(to: method) >= Self.smallestCount
    else { return nil }
    let key = body.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    let isReserved = state.withLock { state in
      if state.bodies[key] == nil {
        let isWithinLimit = state.reserved == 0 || state.reserved + body.count <= limit
        guard isRequired || isWithinLimit else { return false }
        state.reserved += body.count
      }
      state.bodies[key, default: (body.count, 0)].users += 1
      return true
    }
    guard isReserved else {
      throw Problem(
        status: 503, detail: "Too many bytes of answers wait to be sent. Try again later.",
        fields: [Field("Retry-After", "5")],
        cause: "The responses that clients have not read yet exceed --response-budget.")
    }
    return key
  }

  func release(_ key: Key) {
    state.withLock { state in
      state.bodies[key]?.users -= 1
      guard let body = state.bodies[key], body.users == 0 else { return }
      state.bodies[key] = nil
      state.reserved -= body.count
    }
  }
}
