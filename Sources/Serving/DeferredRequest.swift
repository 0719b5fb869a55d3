import Dispatch
import HTTP
import Synchronization

/// A part of a request's work. It does not wait: it returns what it lacks.
typealias Step = @Sendable (ReadContext) throws(Problem) -> StepOutcome

/// The result of a step.
enum StepOutcome: Sendable {
  case response(Response)
  /// The request needs another thread before it goes on with `then`. Nil repeats the step.
  case needs(PendingDependency, then: Step? = nil)
}

/// The thread that a request needs. Each has a queue.
enum PendingDependency: Sendable {
  /// A thread that may read the store.
  case store
  /// The thread that searches for pools.
  case pools(PoolSearch)
  /// The thread that computes views and facets.
  case view(PendingView)
  /// A thread that may read the store, after it has verified the token.
  case verification(ReadToken)
  /// The thread that checks unseen tokens.
  case unseenToken
  /// A thread that changes strips, after earlier changes of this strip.
  case changes(of: String)
}

/// A request that waits on work queues: it runs one step on each, until it has a response.
struct DeferredRequest: Sendable {
  let app: App
  let responder: Responder
  /// Whether to make the change even if the client has left.
  var isChange = false

  /// Runs `step` on the thread that it needs. Responds 503 if too many requests wait for it.
  func run(_ step: @escaping Step, on need: PendingDependency, in context: ReadContext) {
    var (request, context) = (self, context)
    (context.mode, context.mayCompute) = (.mayBlock, false)
    switch need {
    case .store, .verification, .unseenToken, .changes: break
    case .pools: (context.mode, context.mayCompute) = (.cachedOnly, true)
    case .view: context.mayCompute = true
    }
    if context.mayCompute { request = limited(to: app.viewWait) }
    let work: @Sendable () -> Void = { [request, context] in request.take(step, in: context) }
    let isAdded =
      switch need {
      case .store: app.reads.add(nil, work)
      case .pools(let search): app.searches.add(search, work)
      case .view(let view):
        (view.waitsForColumns ? app.columnWaits : app.viewWork).add(view.key, work)
      case .verification(let token):
        (token.wasValid ? app.reads : app.newTokens).add { [context] in
          respond { () throws(Problem) in
            var context = context
            context.holder = try token.holder()
            run(step, on: .store, in: context)
            return nil
          }
        }
      case .unseenToken: app.newTokens.add(nil, work)
      case .changes(let strip): app.changes.add(strip, work)
      }
    if !isAdded {
      responder(Problem.unavailable("Too many requests wait. Send the request again.").response)
    }
  }

  /// Runs `step` on this thread, and the next one on the thread that it needs.
  private func take(_ step: @escaping Step, in context: ReadContext) {
    respond { () throws(Problem) in
      guard isChange || responder.isAwaited else {
        throw .unavailable("The client has closed its sending half.")
      }
      switch try step(context) {
      case .response(let response): return response
      case .needs(let need, let next):
        run(next ?? step, on: need, in: context)
        return nil
      }
    }
  }

  private func respond(_ make: () throws(Problem) -> Response?) {
    do {
      if let response = try make() { responder(response) }
    } catch {
      responder(error.response)
    }
  }

  /// This request with a time limit. It responds 503 after `time`. Work that has started continues.
  private func limited(to time: Duration) -> DeferredRequest {
    DeferredRequest(
      app: app, responder: ResponseTimeout(responder, time).responder, isChange: isChange)
  }
}

/// A responder with a time limit: the client gets 503 if there is no response in time.
private final class ResponseTimeout: Sendable {
  private let client: Responder
  private let isDone = Atomic(false)

  /// Starts the time limit. It ends without effect if no copy of `responder` exists any more.
  init(_ client: Responder, _ time: Duration) {
    self.client = client
    let seconds = time / .seconds(1)
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.respond(
        Problem.unavailable(
          "The answer is not ready yet. Send the request again.", retryAfter: 5
        ).response)
    }
  }

  /// Passes the first response to the client, and ignores later ones.
  var responder: Responder {
    Responder(isAwaited: { self.isAwaited }) { self.respond($0) }
  }

  private var isAwaited: Bool { !isDone.load(ordering: .relaxed) && client.isAwaited }

  private func respond(_ response: Response) {
    if !isDone.exchange(true, ordering: .relaxed) { client(response) }
  }
}
