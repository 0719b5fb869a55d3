import CMicrohttpd
import HTTP
import Synchronization

/// A connection that libmicrohttpd ignores until it is resumed. Its memory stays valid until then.
struct SuspendedConnection: @unchecked Sendable {
  // Any thread may resume a connection. The owner of this value resumes it once.
  private let handle: OpaquePointer
  private let socket: Int32

  /// Suspends the connection. Only its worker's thread may call this.
  init(_ handle: OpaquePointer) {
    MHD_suspend_connection(handle)
    self.handle = handle
    socket = carousel_connection_socket(handle)
  }

  var isBroken: Bool { Connection.isBroken(socket) }

  func resume() { MHD_resume_connection(handle) }
}

/// A response that the handler delivers later. Its connection is suspended until then.
final class DeferredResponse: Sendable {
  private enum State {
    /// The problem is the response if the worker stops first.
    case waiting(SuspendedConnection, atStop: Problem)
    case ready(Response, ResponseBudget.Key?)
    case collected
  }

  let head: Head
  private let worker: Worker
  private let state: Mutex<State>

  init(suspending handle: OpaquePointer, until head: Head, of worker: Worker) {
    self.head = head
    self.worker = worker
    state = Mutex(.waiting(SuspendedConnection(handle), atStop: Worker.stopping))
  }

  func makeResponder() -> Responder {
    Responder(
      isClientWaiting: { self.isClientWaiting }, commitPoint: { self.beginCommit(orAtStop: $0) }
    ) {
      self.deliver($0)
    }
  }

  private func beginCommit(orAtStop problem: Problem) -> Bool {
    state.withLock { state in
      guard case .waiting(let connection, _) = state else { return false }
      state = .waiting(connection, atStop: problem)
      return true
    }
  }

  /// Whether there is no response yet, and the client is still connected.
  private var isClientWaiting: Bool {
    state.withLock { state in
      guard case .waiting(let connection, _) = state else { return false }
      return !connection.isBroken
    }
  }

  /// Stores `response` and resumes the connection. Later calls do nothing.
  func deliver(_ response: Response) { deliver { _ in response } }

  func rejectAtStop() { deliver { worker.rejection($0, of: head) } }

  private func deliver(_ response: (_ atStop: Problem) -> Response) {
    state.withLock { state in
      guard case .waiting(let connection, let problem) = state else {
        // The server has stopped.
        return response(Worker.stopping).discard()
      }
      let response = response(problem)
      // The memory is reserved here, because handlers can deliver responses faster than the worker
      // sends them.
      do throws(Problem) {
        let key = try worker.context.responses.reserve(response, to: head.method)
        state = .ready(response, key)
      } catch {
        state = .ready(worker.rejection(error, of: head, route: response.route), nil)
      }
      connection.resume()
    }
  }

  /// Returns the response once. Nil if it is not delivered yet.
  func collect() -> (response: Response, reservation: ResponseBudget.Key?)? {
    state.withLock { state in
      guard case .ready(let response, let key) = state else { return nil }
      state = .collected
      return (response, key)
    }
  }
}

/// Reads the events of one stream for libmicrohttpd. It suspends the connection while there are none.
final class EventSource {
  private let stream: EventStream
  private let connection: OpaquePointer

  init(_ stream: EventStream, on connection: OpaquePointer) {
    self.stream = stream
    self.connection = connection
  }

  /// A response that reads from the source. Nil if there is no memory. libmicrohttpd releases both
  /// when the connection has ended.
  func response() -> OpaquePointer? {
    let source = Unmanaged.passRetained(self)
    let response = MHD_create_response_from_callback(
      .max, 4096,
      { source, _, buffer, count in
        guard let source, let buffer else { return -1 }
        return Unmanaged<EventSource>.fromOpaque(source).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      },
      source.toOpaque(),
      { source in
        guard let source else { return }
        Unmanaged<EventSource>.fromOpaque(source).takeRetainedValue().stream.end()
      })
    if response == nil {
      stream.end()
      source.release()
    }
    return response
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    stream.read(into: buffer) {
      let suspended = SuspendedConnection(connection)
      return { suspended.resume() }
    } ?? -1
  }
}
