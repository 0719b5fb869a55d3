import Catalogue
import Dispatch

/// Runs jobs one at a time, on one thread of the lowest priority.
///
///     stage 0   restore a, restore b
///     stage 1                         build a, build b
///     stage 2                                           store a, store b
///
/// A job is a list of stages. Each stage queues after the jobs that wait. A stage that fails runs again after a pause,
/// while other jobs run. After eight failures the job goes on with its next stage.
package final class PreparationQueue: Sendable {
  package typealias Stage = @Sendable () throws -> Void

  private let queue = WorkQueue<Never>(width: 1, limit: .max, priority: .lowest)
  private let pause: Duration

  private static let attempts = 8

  /// - Parameter pause: after the first failure. It doubles with each failure, up to 32 times.
  package init(pause: Duration = .seconds(1)) { self.pause = pause }

  package func add(_ stages: [Stage]) { add(stages[...], failures: 0) }

  private func add(_ stages: ArraySlice<Stage>, failures: Int) {
    guard let stage = stages.first else { return }
    _ = queue.add { [weak self] in
      do {
        try stage()
        self?.add(stages.dropFirst(), failures: 0)
      } catch {
        self?.retry(stages, failures: failures + 1)
      }
    }
  }

  private func retry(_ stages: ArraySlice<Stage>, failures: Int) {
    guard failures < Self.attempts else { return add(stages.dropFirst(), failures: 0) }
    let pause = pause * (1 << min(failures - 1, 5))
    DispatchQueue.global().asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in
      self?.add(stages, failures: failures)
    }
  }
}
