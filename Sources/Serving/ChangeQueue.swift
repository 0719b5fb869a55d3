@preconcurrency import Dispatch
import Synchronization

/// The changes that wait to be made, on threads of their own: a change waits for the disk, and a
/// request's thread must not.
///
/// Those of one strip are made one after the other; those of others beside them, as many as the store
/// makes at once, so that nobody waits for a strip that somebody else holds.
final class ChangeQueue: Sendable {
  private typealias Change = @Sendable () -> Void

  private struct Waiting {
    /// By strip, the first of each being made or the next one.
    var lines: [String: [Change]] = [:]
    /// The strips whose first change nobody makes yet, in turn.
    var turns: [String] = []
    /// How many threads make changes.
    var busy = 0
    var count = 0
  }

  private let queue = DispatchQueue(label: "ChangeQueue", attributes: .concurrent)
  private let waiting = Mutex(Waiting())
  private let width: Int
  private let limit: Int

  /// - Parameters:
  ///   - width: how many strips may be changed at once.
  ///   - limit: how many changes may wait.
  init(width: Int, limit: Int = 256) {
    self.width = width
    self.limit = limit
  }

  /// Does `change` to a strip when its turn comes; `orElse` at once where too many wait.
  func take(
    _ strip: String, orElse: () -> Void, _ change: @escaping @Sendable () -> Void
  ) {
    let isTaken = waiting.withLock { waiting in
      guard waiting.count < limit else { return false }
      waiting.count += 1
      if waiting.lines[strip, default: []].isEmpty { waiting.turns.append(strip) }
      waiting.lines[strip, default: []].append(change)
      if waiting.busy < width {
        waiting.busy += 1
        queue.async { self.work() }
      }
      return true
    }
    if !isTaken { orElse() }
  }

  /// Makes changes until none waits whose strip is free.
  private func work() {
    while let (strip, change) = next() {
      change()
      waiting.withLock { waiting in
        waiting.count -= 1
        waiting.lines[strip]?.removeFirst()
        if waiting.lines[strip]?.isEmpty == false {
          waiting.turns.append(strip)
        } else {
          waiting.lines[strip] = nil
        }
      }
    }
  }

  private func next() -> (strip: String, change: Change)? {
    waiting.withLock { waiting in
      guard !waiting.turns.isEmpty else {
        waiting.busy -= 1
        return nil
      }
      let strip = waiting.turns.removeFirst()
      return waiting.lines[strip]?.first.map { (strip, $0) }
    }
  }
}
