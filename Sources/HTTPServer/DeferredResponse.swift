import HTTP
import Synchronization

/// A response that the handler delivers later. Its connection is suspended until then.
final class DeferredResponse: Sendable {
  private enum State {
    /// `atStop` is the response if the worker stops first. Nil for the usual 503, before the handler's commit point.
    case waiting(SuspendedConnection, atStop: Problem?)
    case ready(Response, ResponseBudget.Key?)
    case collected
  }

  let head: Head
  private let worker: Worker
  private let state: Mutex<State>

  init(suspending handle: OpaquePointer, until head: Head, of worker: Worker) {
    self.head = head
    self.worker = worker
    state = Mutex(.waiting(SuspendedConnection(handle), atStop: nil))
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
      let response = response(problem ?? Worker.stopping)
      // The memory is reserved here, because handlers can deliver responses faster than the worker
      // sends them.
      do throws(Problem) {
        // After a commit, the response must be accepted: a 503 would say that the change is not made.
        let key = try worker.context.responses.reserve(
          response, to: head.method, isRequired: problem != nil)
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
