import Catalogue
import Dispatch
import HTTP
package import Views
package import Windowing

/// A part of a request's work. It does not wait: it returns the reason to wait.
typealias Continuation = @Sendable (inout ReadContext) throws(Problem) -> Outcome

enum Outcome: Sendable {
  case response(Response)
  /// The request continues with `then` on another thread. Nil repeats the suspended continuation.
  case suspended(on: WaitReason, then: Continuation? = nil)
}

/// The reason why a request waits. Each case has a queue, whose threads continue the request.
enum WaitReason: Sendable {
  case store
  /// The snapshot of a strip that is not in memory. Nil for the first strip.
  case snapshot(of: String?)
  /// A revision of a strip that this server has not read.
  case revision(Int64, of: String?)
  case layout(PendingLayout)
  case view(PendingView)
  /// A thread that may compress a large body.
  case compression
  case unseenToken
  /// The end of earlier changes of this strip.
  case changes(of: String)
}

/// Identifies a layout of a long strip, or its pools, if they are not in the cache. Requests for the same layout run one
/// at a time: the first one computes it, and the others find it in the cache. That takes up to a second for ten million
/// items.
package struct PendingLayout: Hashable {
  private let strip: ObjectIdentifier
  private let rule: LayoutRule
  private let poolLength: Length

  package init(_ snapshot: Snapshot, _ rule: LayoutRule, poolLength: Length) {
    strip = ObjectIdentifier(snapshot.layouts)
    self.rule =
      if case .strip(let height, let wraps) = rule {
        .strip(height: SizeClasses.roundedDown(height), wraps: wraps)
      } else { rule }
    self.poolLength = SizeClasses.roundedUp(poolLength)
  }
}

extension WorkQueue<Never> {
  /// The result of `work`, which runs on a thread of the queue. 503 if the queue is full.
  func result(of work: @escaping @Sendable () -> HandlerResult) -> HandlerResult {
    .deferred { responder in
      let isAdded = self.add {
        switch work() {
        case .response(let response): responder(response)
        case .deferred(let start): start(responder)
        }
      }
      if !isAdded { responder(Problem.tooManyFileRequests.response) }
    }
  }
}

/// A suspended request: its continuations run on work queues, until one has a response.
struct DeferredRequest: Sendable {
  let responder: Responder
  /// Whether to make the change even if the client has left.
  var isChange = false

  /// Runs `continuation` on the thread that it needs. Responds 503 if too many requests wait for it.
  func run(_ continuation: @escaping Continuation, on reason: WaitReason, in context: ReadContext) {
    let app = context.app
    if case .revision(let revision, let strip) = reason, !context.hasWaited {
      var context = context
      context.hasWaited = true
      return wait(for: revision, of: strip, until: .now + .seconds(1), continuation, in: context)
    }
    var context = context
    context.thread =
      switch reason {
      case .store, .revision, .compression, .unseenToken, .changes: .store
      case .snapshot: .loader
      case .layout: .layout
      case .view: .views
      }
    let work: @Sendable () -> Void = { [context] in
      if case .changes = reason, !responder.beginCommit(orAtStop: .unfinishedChange) { return }
      perform(continuation, in: context)
    }
    let isAdded =
      switch reason {
      case .store, .revision: app.io.add(nil, work)
      case .snapshot(let strip): app.io.add(strip ?? "", work)
      case .compression: app.compressions.add(nil, work)
      case .layout(let pending): app.layout.add(pending, work)
      case .view(let view):
        app.queue(for: view).add(view.key, work)
      case .unseenToken: app.authentication.add(nil, work)
      case .changes(let strip): app.changes.add(strip, work)
      }
    guard isAdded else {
      return Self.reject(
        responder, .unavailable("Too many requests wait. Send the request again."),
        for: context.isForPage ? context : nil)
    }
    if context.thread.mayCompute { limitWait(in: context) }
  }

  /// Responds 503 after ten seconds (`viewWait`). Work that has started continues. The timer retains the context only if
  /// the response is a page, because many large requests can wait.
  private func limitWait(in context: ReadContext) {
    let page = context.isForPage ? context : nil
    DispatchQueue.timers.asyncAfter(deadline: .now() + context.app.viewWait / .seconds(1)) {
      [weak responder] in
      guard let responder else { return }
      Self.reject(
        responder,
        .unavailable("The answer is not ready yet. Send the request again.", retryAfter: 5),
        for: page)
    }
  }

  /// - Parameter page: the context of a request for the page; nil for other requests. Another thread makes the page of the
  ///   problem, because it reads files.
  private static func reject(
    _ responder: Responder, _ problem: Problem, for page: ReadContext?
  ) {
    let isAdded = page.map { page in page.app.disk.add { responder(page.response(to: problem)) } }
    if isAdded != true { responder(problem.response) }
  }

  /// Runs `continuation` when the catalogue has read the revision, or at `end`. No thread waits, because any client can
  /// name revisions that do not exist.
  private func wait(
    for revision: Int64, of strip: String?, until end: ContinuousClock.Instant,
    _ continuation: @escaping Continuation, in context: ReadContext
  ) {
    let found = try? context.app.catalogue.cachedSnapshot(of: strip, at: revision)
    guard found == nil, responder.isClientWaiting, .now < end else {
      return run(continuation, on: .revision(revision, of: strip), in: context)
    }
    DispatchQueue.timers.asyncAfter(deadline: .now() + .milliseconds(100)) {
      wait(for: revision, of: strip, until: end, continuation, in: context)
    }
  }

  /// Runs `continuation` on this thread, and the next one on the thread that it needs.
  private func perform(_ continuation: @escaping Continuation, in context: ReadContext) {
    var context = context
    do throws(Problem) {
      guard isChange || responder.isClientWaiting else {
        throw .unavailable("The client has left.")
      }
      switch try continuation(&context) {
      case .response(let response): responder(response)
      case .suspended(on: let reason, then: let next):
        run(next ?? continuation, on: reason, in: context)
      }
    } catch {
      responder(context.response(to: error))
    }
  }
}
