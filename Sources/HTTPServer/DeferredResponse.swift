import CMicrohttpd
import HTTP
import Synchronization

/// A response that is still being made while its connection is set aside.
final class DeferredResponse: Sendable {
  private enum State {
    case waiting(SuspendedConnection)
    case made(Response)
    case taken
  }

  /// The head of the request that it answers.
  let head: Head
  private let state: Mutex<State>

  /// Sets `connection` aside until `head` is answered; called on its worker's thread.
  init(suspending connection: OpaquePointer, until head: Head) {
    self.head = head
    state = Mutex(.waiting(SuspendedConnection(connection)))
  }

  /// The way here, for whoever makes the response.
  var delivery: Responder { Responder(isAwaited: { self.isAwaited }) { self.deliver($0) } }

  /// Whether there is no response yet, and the client has not left.
  private var isAwaited: Bool {
    state.withLock { state in
      guard case .waiting(let connection) = state else { return false }
      return !connection.isAbandoned
    }
  }

  /// Keeps `response` and wakes the connection. Only the first call does anything.
  func deliver(_ response: Response) {
    state.withLock { state in
      guard case .waiting(let connection) = state else { return }
      state = .made(response)
      connection.resume()
    }
  }

  /// The response, once it is there.
  func take() -> Response? {
    state.withLock { state in
      guard case .made(let response) = state else { return nil }
      state = .taken
      return response
    }
  }
}
