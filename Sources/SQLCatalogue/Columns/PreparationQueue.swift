import Catalogue
import Dispatch

/// Runs jobs one at a time, on one thread of the lowest priority. A job that fails runs again after a pause, while other
/// jobs run, at most eight times.
package final class PreparationQueue: Sendable {
  package typealias Job = @Sendable () throws -> Void

  private let queue = WorkQueue<Never>(width: 1, limit: .max, priority: .lowest)
  private let pause: Duration

  private static let attempts = 8

  /// - Parameter pause: after the first failure. It doubles with each failure, up to 32 times.
  package init(pause: Duration = .seconds(1)) { self.pause = pause }

  /// - Parameter end: runs after the job has succeeded, or has failed eight times.
  package func add(_ job: @escaping Job, atEnd end: @escaping @Sendable () -> Void) {
    add(job, atEnd: end, failures: 0)
  }

  private func add(
    _ job: @escaping Job, atEnd end: @escaping @Sendable () -> Void, failures: Int
  ) {
    _ = queue.add { [weak self] in
      do {
        try job()
      } catch {
        let failures = failures + 1
        if failures < Self.attempts {
          self?.retry(job, atEnd: end, failures: failures)
          return
        }
      }
      end()
    }
  }

  private func retry(
    _ job: @escaping Job, atEnd end: @escaping @Sendable () -> Void, failures: Int
  ) {
    let pause = pause * (1 << min(failures - 1, 5))
    DispatchQueue.timers.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in
      self?.add(job, atEnd: end, failures: failures)
    }
  }
}
