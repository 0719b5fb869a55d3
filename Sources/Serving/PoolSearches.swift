import Catalogue
import HTTP
import Synchronization
import Windowing

/// The searches for pools that nobody asked for before, in long strips: one at a time, off the
/// threads that answer.
///
/// Whoever asks for the same pools waits for the same search. There are at most as many searches and
/// waiting requests as the limits say, so that a flood of new heights and stretches takes one thread's
/// time and no more.
final class PoolSearches: Sendable {
  /// A strip at a revision, and what is asked of it.
  struct Question: Hashable, Sendable {
    let pools: ObjectIdentifier
    let stretch: Length
    let height: Length
    let wraps: Bool
  }

  private let waiting = Mutex<[Question: [@Sendable () -> Void]]>([:])
  private let thread = PatientThread()

  /// Searches under way and waiting their turn, and requests that wait for one of them.
  private static let searchLimit = 16
  private static let waiterLimit = 256

  /// Calls `done` when `search` has run for `question`, or has for another who asked.
  ///
  /// - Throws: 503 where too much waits already.
  func run(
    _ question: Question, _ search: @escaping @Sendable () -> Void,
    then done: @escaping @Sendable () -> Void
  ) throws(Problem) {
    let isNew = try waiting.withLock { waiting throws(Problem) in
      let others = waiting[question] ?? []
      guard others.count < Self.waiterLimit, !others.isEmpty || waiting.count < Self.searchLimit
      else { throw Problem.unavailable("Too many new heights and pools are being asked for.") }
      waiting[question] = others + [done]
      return others.isEmpty
    }
    guard isNew else { return }
    thread.run { [self] in
      search()
      for done in waiting.withLock({ $0.removeValue(forKey: question) }) ?? [] { done() }
    }
  }
}

extension App {
  /// What `answer` says, once the pools that `query` needs are known: at once where they are, or
  /// are found fast. It is told the strip as drawn where there is no other since.
  ///
  /// - Throws: 503 where too many wait for pools.
  func afterPools(
    of query: WindowQuery,
    _ answer: @escaping @Sendable (App, DrawnStrip?) throws(Problem) -> Response
  ) throws(Problem) -> Answer {
    let edition = try edition(of: query.strip, at: query.revision)
    let layout = try edition.layout(fitting: query.height, wraps: query.wrap)
    if let pools = edition.pools.cachedPools(of: layout, stretch: query.stretch) {
      return .response(try answer(self, DrawnStrip(edition, layout, pools)))
    }
    let later = LateResponse()
    let question = PoolSearches.Question(
      pools: ObjectIdentifier(edition.pools), stretch: Ladder.up(query.stretch),
      height: Ladder.down(layout.height), wraps: layout.wraps)
    try pools.run(question) {
      edition.pools.find(layout, stretch: query.stretch)
    } then: {
      let made = self.impatient.answering { site throws(Problem) in
        .response(try answer(site, nil))
      }
      made.deliver(to: later.delivery)
    }
    return .deferred { later.await($0) }
  }
}

/// A response that is made by one and awaited by another, whoever comes first.
private final class LateResponse: Sendable {
  private enum State {
    case open
    case made(Response)
    case awaited(Responder)
  }

  private let state = Mutex(State.open)

  var delivery: Responder { Responder(isAwaited: { self.isAwaited }) { self.deliver($0) } }

  private var isAwaited: Bool {
    let waiter: Responder? = state.withLock { state in
      guard case .awaited(let waiter) = state else { return nil }
      return waiter
    }
    return waiter?.isAwaited ?? true
  }

  private func deliver(_ response: Response) {
    let waiter: Responder? = state.withLock { state in
      guard case .awaited(let waiter) = state else {
        state = .made(response)
        return nil
      }
      return waiter
    }
    waiter?(response)
  }

  func await(_ waiter: Responder) {
    let response: Response? = state.withLock { state in
      guard case .made(let response) = state else {
        state = .awaited(waiter)
        return nil
      }
      return response
    }
    if let response { waiter(response) }
  }
}
