@preconcurrency import Dispatch
import Synchronization

/// The changes that wait to be made, one after the other, on a thread of their own: a change waits
/// for the disk, and a request's thread must not.
final class ChangeQueue: Sendable {
  private let queue = DispatchQueue(label: "ChangeQueue")
  private let waiting = Atomic(0)
  private let limit: Int

  /// - Parameter limit: how many may wait.
  init(limit: Int = 256) { self.limit = limit }

  /// Does `change` when its turn comes; `orElse` at once where too many wait.
  func take(_ change: @escaping @Sendable () -> Void, orElse: () -> Void) {
    guard waiting.add(1, ordering: .relaxed).newValue <= limit else {
      waiting.subtract(1, ordering: .relaxed)
      return orElse()
    }
    queue.async {
      change()
      self.waiting.subtract(1, ordering: .relaxed)
    }
  }
}
