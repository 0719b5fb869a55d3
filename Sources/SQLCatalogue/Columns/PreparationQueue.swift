import Dispatch
import Foundation
import Glibc
import Synchronization

/// Runs jobs one at a time, on one thread of the lowest priority. The thread ends when no job is left.
///
///     stage 0   restore a, restore b
///     stage 1                         build a, build b
///     stage 2                                           store a, store b
///
/// The earliest stage of all jobs runs next. A stage that fails runs again after a pause, while other jobs run. After
/// eight failures the job goes on with its next stage.
package final class PreparationQueue: Sendable {
  package typealias Stage = @Sendable () throws -> Void

  private struct Job {
    let stages: [Stage]
    var stage = 0
    var failures = 0
    var start = ContinuousClock.now
  }

  private struct State {
    var jobs: [Job] = []
    var hasThread = false
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let pause: Duration

  private static let attempts = 8

  /// - Parameter pause: after the first failure. It doubles with each failure, up to 32 times.
  package init(pause: Duration = .seconds(1)) { self.pause = pause }

  package func add(_ stages: [Stage]) {
    let startsThread = state.withLock { state in
      state.jobs.append(Job(stages: stages))
      defer { state.hasThread = true }
      return !state.hasThread
    }
    arrivals.signal()
    if startsThread { Thread.detachNewThread { self.run() } }
  }

  package func removeAll() {
    state.withLock { $0.jobs = [] }
    arrivals.signal()
  }

  private func run() {
    // On Linux this applies to the calling thread alone.
    setpriority(Int32(PRIO_PROCESS.rawValue), 0, 19)
    while var job = next() {
      do {
        try job.stages[job.stage]()
        (job.stage, job.failures) = (job.stage + 1, 0)
      } catch {
        job.failures += 1
        job.start = .now + pause * (1 << min(job.failures - 1, 5))
        if job.failures == Self.attempts { (job.stage, job.failures) = (job.stage + 1, 0) }
      }
      if job.stage < job.stages.count { state.withLock { $0.jobs.append(job) } }
    }
  }

  private func next() -> Job? {
    while true {
      let (job, start) = state.withLock { state -> (Job?, ContinuousClock.Instant?) in
        let now = ContinuousClock.now
        let due = state.jobs.indices.filter { state.jobs[$0].start <= now }
        if let first = due.min(by: { state.jobs[$0].stage < state.jobs[$1].stage }) {
          return (state.jobs.remove(at: first), nil)
        }
        if state.jobs.isEmpty { state.hasThread = false }
        return (nil, state.jobs.map(\.start).min())
      }
      if let job { return job }
      guard let start else { return nil }
      let (seconds, attoseconds) = (start - .now).components
      _ = arrivals.wait(timeout: .now() + Double(seconds) + Double(attoseconds) / 1e18)
    }
  }
}
