import CMicrohttpd
import HTTP
import Synchronization

/// A response that is still being made. Its connection is suspended.
final class DeferredResponse: Sendable {
  private enum State {
    case waiting(SuspendedConnection)
    case made(Response)
    case collected
  }

  /// The head of the request.
  let head: Head
  private let state: Mutex<State>

  /// Suspends the connection. Only its worker's thread may call this.
  init(suspending handle: OpaquePointer, until head: Head) {
    self.head = head
    state = Mutex(.waiting(SuspendedConnection(handle)))
  }

  /// Takes the response from the handler.
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
      state = .made(response)
      connection.resume()
    }
  }

  /// Returns the response once. Nil if there is none yet.
  func collect() -> Response? {
    state.withLock { state in
      guard case .made(let response) = state else { return nil }
      state = .collected
      return response
    }
  }
}

/// A connection that libmicrohttpd ignores until it is resumed. Its memory stays valid until then.
struct SuspendedConnection: @unchecked Sendable {
  // Any thread may resume a connection. The owner of this value does it once.
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
