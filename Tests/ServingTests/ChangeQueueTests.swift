import Dispatch
import Synchronization
import Testing

@testable import Serving

struct ChangeQueueTests {
  private let log = Log()

  @Test func makesTheChangesOfAStripInTheirOrder() {
    let queue = ChangeQueue(width: 4)
    for number in 0..<100 { log.take("s", number, by: queue) }
    log.await(100)
    #expect(log.made == Array(0..<100))
  }

  @Test func waitsForNoStripThatSomebodyElseHolds() {
    let queue = ChangeQueue(width: 3)
    let gate = DispatchSemaphore(value: 0)
    log.take("a", 1, by: queue, behind: gate)
    log.take("b", 2, by: queue, behind: gate)
    log.take("a", 3, by: queue)
    for number in 10..<20 { log.take("c", number, by: queue) }
    log.await(10)
    #expect(log.made == Array(10..<20))
    gate.signal()
    gate.signal()
    log.await(3)
    #expect(Set(log.made) == Set([1, 2, 3] + Array(10..<20)))
    #expect(log.made.last == 3 || log.made.last == 2)
  }

  @Test func changesOneStripAfterTheOtherWhereThereIsOneWriter() {
    let queue = ChangeQueue(width: 1)
    let gate = DispatchSemaphore(value: 0)
    log.take("a", 1, by: queue, behind: gate)
    log.take("b", 2, by: queue)
    log.take("a", 3, by: queue)
    #expect(log.made.isEmpty)
    gate.signal()
    log.await(3)
    #expect(log.made == [1, 2, 3])
  }

  @Test func refusesAtOnceWhatIsTooMuch() {
    let queue = ChangeQueue(width: 1, limit: 2)
    let gate = DispatchSemaphore(value: 0)
    log.take("a", 1, by: queue, behind: gate)
    log.take("b", 2, by: queue)
    log.take("c", 3, by: queue)
    #expect(log.refused == [3])
    gate.signal()
    log.await(2)
    log.take("c", 4, by: queue)
    log.await(1)
    #expect(log.made == [1, 2, 4])
  }
}

/// The numbers of the changes that were made, and of those that were not taken.
private final class Log: Sendable {
  private let numbers = Mutex<(made: [Int], refused: [Int])>(([], []))
  private let changes = DispatchSemaphore(value: 0)

  var made: [Int] { numbers.withLock { $0.made } }
  var refused: [Int] { numbers.withLock { $0.refused } }

  /// Asks for a change that waits at `gate` and notes its number.
  func take(
    _ strip: String, _ number: Int, by queue: ChangeQueue, behind gate: DispatchSemaphore? = nil
  ) {
    let refuse = { self.numbers.withLock { $0.refused.append(number) } }
    queue.take(strip, orElse: refuse) {
      gate?.wait()
      self.numbers.withLock { $0.made.append(number) }
      self.changes.signal()
    }
  }

  /// Waits until so many more changes were made.
  func await(_ count: Int) {
    for _ in 0..<count { changes.wait() }
  }
}
