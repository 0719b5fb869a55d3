import CMicrohttpd
import HTTP
import Synchronization

/// A response that the handler delivers later. Its connection is suspended until then.
final class DeferredResponse: Sendable {
  private enum State {
    case waiting(SuspendedConnection)
    case ready(Response, AnswerBudget.Key?)
    case collected
  }

  let head: Head
  private let state: Mutex<State>
  private let budget: AnswerBudget
  private let rejection: @Sendable (Response) -> Response

  /// Suspends the connection. Only its worker's thread may call this.
  ///
  /// - Parameters:
  ///   - budget: the budget for the body of the response. `deliver` reserves the memory.
  ///   - rejection: makes the replacement for a response that exceeds the budget.
  init(
    suspending handle: OpaquePointer, until head: Head, _ budget: AnswerBudget,
    rejection: @escaping @Sendable (Response) -> Response
  ) {
    self.head = head
    self.budget = budget
    self.rejection = rejection
    state = Mutex(.waiting(SuspendedConnection(handle)))
  }

  /// Receives the response from the handler.
  var responder: Responder { Responder(isAwaited: { self.isAwaited }) { self.deliver($0) } }

  /// Whether there is no response yet, and the client is still connected.
  private var isAwaited: Bool {
    state.withLock { state in
      guard case .waiting(let connection) = state else { return false }
      return !connection.isClosedByClient
    }
  }

  /// Stores `response` and resumes the connection. Later calls do nothing.
  func deliver(_ response: Response) {
    state.withLock { state in
      guard case .waiting(let connection) = state else { return }
      // The memory is reserved here, because handlers can deliver responses faster than the worker
      // sends them.
      var (response, key) = (response, AnswerBudget.Key?.none)
      if response.sentCount(to: head.method) >= AnswerBudget.smallestCount {
        key = budget.reserve(response.body.bytes)
        if key == nil { response = rejection(response) }
      }
      state = .ready(response, key)
      connection.resume()
    }
  }

  /// Returns the response once, with the reservation of its body. Nil if it is not delivered yet.
  func collect() -> (response: Response, reservation: AnswerBudget.Key?)? {
    state.withLock { state in
      guard case .ready(let response, let key) = state else { return nil }
      state = .collected
      return (response, key)
    }
  }
}

/// A connection that libmicrohttpd ignores until it is resumed. Its memory stays valid until then.
struct SuspendedConnection: @unchecked Sendable {
  // Any thread may resume a connection. The owner of this value resumes it once.
  private let handle: OpaquePointer
  private let socket: Int32

  init(_ handle: OpaquePointer) {
    MHD_suspend_connection(handle)
    self.handle = handle
    socket = carousel_connection_socket(handle)
  }

  var isClosedByClient: Bool { Connection.isClosedByClient(socket) }

  func resume() { MHD_resume_connection(handle) }
}
