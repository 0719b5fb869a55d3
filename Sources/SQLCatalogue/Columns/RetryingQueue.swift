import Catalogue
import Dispatch

/// Runs jobs one at a time, on one thread of the lowest priority. A job that fails runs again after a pause, while other
/// jobs run, at most eight times.
package final class RetryingQueue: Sendable {
  package typealias Job = @Sendable () throws -> Void

  private let queue: WorkQueue<Never>
  private let pause: Duration

  private static let attempts = 8

  /// - Parameters:
  ///   - pause: after the first failure. It doubles with each failure, up to 32 times.
  ///   - limit: the most jobs that wait or run.
  package init(pause: Duration = .seconds(1), limit: Int = .max) {
    self.pause = pause
    queue = WorkQueue(threads: 1, limit: limit, priority: .lowest)
  }

  /// - Parameter end: runs after the job has succeeded, or has failed eight times, or was not started eight times.
  package func add(_ job: @escaping Job, atEnd end: @escaping @Sendable () -> Void) {
    add(job, atEnd: end, failures: 0)
  }

  private func add(
    _ job: @escaping Job, atEnd end: @escaping @Sendable () -> Void, failures: Int
  ) {
    let isAdded = queue.add { [weak self] in
      do {
        try job()
        end()
      } catch {
        self?.retry(job, atEnd: end, failures: failures + 1)
      }
    }
    // The queue is full, or the system starts no thread now.
    if !isAdded { retry(job, atEnd: end, failures: failures + 1) }
  }

  private func retry(
    _ job: @escaping Job, atEnd end: @escaping @Sendable () -> Void, failures: Int
  ) {
    guard failures < Self.attempts else { return end() }
    let pause = pause * (1 << min(failures - 1, 5))
    DispatchQueue.timers.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in
      self?.add(job, atEnd: end, failures: failures)
    }
  }
}
