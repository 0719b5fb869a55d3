import Catalogue
import Foundation
import HTTP
import Synchronization

/// The threads that may wait for a catalogue's store, so that those which answer requests need not.
///
/// There are a few, started when one is first needed, and a bounded number of questions wait for
/// them: a store that is slow or away costs these threads their time, and nobody else's. What nobody
/// waits for any more when its turn comes is not asked.
final class FetchThreads: Sendable {
  private struct Question {
    let delivery: Responder
    let ask: @Sendable (Responder) -> Void
  }

  /// What the threads share; they hold it while they wait, and nothing else.
  private final class Work: Sendable {
    let questions = Mutex<(waiting: ArraySlice<Question>, isOver: Bool)>(([], false))
    let arrivals = DispatchSemaphore(value: 0)

    func run() {
      while true {
        arrivals.wait()
        let (question, isOver) = questions.withLock { ($0.waiting.popFirst(), $0.isOver) }
        guard !isOver else { return }
        guard let question else { continue }
        if question.delivery.isAwaited {
          question.ask(question.delivery)
        } else {
          question.delivery(Problem.unavailable("Nobody waited any more.").response)
        }
      }
    }
  }

  private let work = Work()
  private let isStarted = Atomic(false)
  private let count: Int
  private let limit: Int

  /// - Parameters:
  ///   - count: how many questions are asked at once.
  ///   - limit: how many more may wait for their turn.
  init(count: Int = 8, limit: Int = 256) {
    self.count = count
    self.limit = limit
  }

  deinit {
    work.questions.withLock { $0 = ([], true) }
    for _ in 0..<count { work.arrivals.signal() }
  }

  /// Calls `ask` when a thread is free, which delivers the answer; delivers 503 at once where too many
  /// wait.
  func take(_ delivery: Responder, _ ask: @escaping @Sendable (Responder) -> Void) {
    let isTaken = work.questions.withLock { questions in
      guard questions.waiting.count < limit else { return false }
      questions.waiting.append(Question(delivery: delivery, ask: ask))
      return true
    }
    guard isTaken else {
      return delivery(Problem.unavailable("Too many requests wait for the catalogue.").response)
    }
    if !isStarted.exchange(true, ordering: .relaxed) {
      for _ in 0..<count { Thread.detachNewThread { [work] in work.run() } }
    }
    work.arrivals.signal()
  }
}

extension App {
  /// This site, asked on a thread that may wait.
  var patient: App { App(self, mode: .mayBlock, reader: reader) }

  /// This site, asked on a thread that may not.
  var impatient: App { App(self, mode: .cachedOnly, reader: reader) }

  /// What `answer` says, or what it says where it may wait, when that is all it takes.
  func answering(_ answer: @escaping @Sendable (App) throws(Problem) -> Answer) -> Answer {
    do throws(Problem) {
      return try answer(self)
    } catch {
      return fetching(after: error, answer)
    }
  }

  /// What `answer` says where it may wait, after it could not say it at once for
  /// `problem`; the problem itself where waiting is of no use.
  func fetching(
    after problem: Problem, _ answer: @escaping @Sendable (App) throws(Problem) -> Answer
  ) -> Answer {
    guard problem.wouldBlock, mode == .cachedOnly else { return .response(problem.response) }
    return .deferred { delivery in
      self.fetches.take(delivery) { self.patient.answering(answer).deliver(to: $0) }
    }
  }
}
