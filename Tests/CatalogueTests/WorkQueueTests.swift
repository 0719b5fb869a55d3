import Catalogue
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing
import Views

struct WorkQueueTests {
  private let log = Log()

  @Test func `work of one key runs in its order`() {
    let queue = WorkQueue<String>(threads: 4)
    for number in 0..<100 { log.add("s", number, to: queue) }
    log.await(100)
    #expect(log.done == Array(0..<100))
  }

  @Test func `work of a key does not wait for other keys`() {
    let queue = WorkQueue<String>(threads: 3)
    let gate = DispatchSemaphore(value: 0)
    log.add("a", 1, to: queue, after: gate)
    log.add("b", 2, to: queue, after: gate)
    log.add("a", 3, to: queue)
    for number in 10..<20 { log.add("c", number, to: queue) }
    log.await(10)
    #expect(log.done == Array(10..<20))
    gate.signal()
    gate.signal()
    log.await(3)
    #expect(Set(log.done) == Set([1, 2, 3] + Array(10..<20)))
    #expect(log.done.last == 3 || log.done.last == 2)
  }

  @Test func `a thread of the lowest priority starts no thread of another queue`() {
    let queue = WorkQueue<Never>(threads: 1)
    let lowest = WorkQueue<Never>(threads: 1, priority: .lowest)
    let nice = Atomic<Int32>(19)
    let isDone = DispatchSemaphore(value: 0)
    let isAdded = lowest.add {
      _ = queue.add {
        nice.store(getpriority(.init(PRIO_PROCESS.rawValue), 0), ordering: .relaxed)
        isDone.signal()
      }
    }
    #expect(isAdded)
    isDone.wait()
    #expect(nice.load(ordering: .relaxed) < 19)
  }

  @Test func `a full queue rejects work at once`() {
    let queue = WorkQueue<String>(threads: 1, limit: 2)
    let gate = DispatchSemaphore(value: 0)
    log.add("a", 1, to: queue, after: gate)
    log.add("b", 2, to: queue)
    log.add("c", 3, to: queue)
    #expect(log.rejected == [3])
    gate.signal()
    log.await(2)
    log.add("c", 4, to: queue)
    log.await(1)
    #expect(log.done == [1, 2, 4])
  }

  @Test func `a queue without threads rejects work`() async {
    await #expect(processExitsWith: .success) {
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let size = try #require(pages.split(separator: " ").first.flatMap { UInt($0) }) * 4096
      var limit = rlimit()
      try #require(getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      // The stack of a thread takes more.
      var small = rlimit(rlim_cur: size + 1 << 20, rlim_max: limit.rlim_max)
      let isDone = DispatchSemaphore(value: 0)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &small) == 0)
      let queues = (0..<64).map { _ in WorkQueue<String>(threads: 1) }
      let accepted = queues.count { $0.add("s") { isDone.signal() } }
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      #expect(accepted < queues.count)
      for _ in 0..<accepted { #expect(isDone.wait(timeout: .now() + 10) == .success) }
      // There is memory again.
      #expect(queues.allSatisfy { $0.add("s") { isDone.signal() } })
      for _ in queues { #expect(isDone.wait(timeout: .now() + 10) == .success) }
    }
  }

  @Test func `work of one key leaves room for other work`() {
    let queue = WorkQueue<String>(threads: 1, limit: 16)
    let gate = DispatchSemaphore(value: 0)
    log.add("a", 0, to: queue, after: gate)
    for number in 1..<16 { log.add("a", number, to: queue) }
    #expect(log.rejected == Array(8..<16))
    for number in 16..<24 { log.add("\(number)", number, to: queue) }
    #expect(log.rejected == Array(8..<16))
    gate.signal()
    log.await(16)
    log.add("a", 24, to: queue)
    log.await(1)
    #expect(log.done.last == 24)
  }

  @Test func `a queue rejects more keys than it may have, and takes more work of those it has`() {
    let queue = WorkQueue<String>(threads: 1, keyLimit: 2)
    let gate = DispatchSemaphore(value: 0)
    log.add("a", 1, to: queue, after: gate)
    log.add("b", 2, to: queue)
    log.add("c", 3, to: queue)
    log.add("b", 4, to: queue)
    log.add(nil, 5, to: queue)
    #expect(log.rejected == [3])
    #expect((queue.count, queue.keyCount) == (4, 2))
    gate.signal()
    log.await(4)
    #expect(log.done == [1, 2, 5, 4])
  }

  @Test func `work that has not started when the queue is released never runs`() {
    var queue: WorkQueue<String>? = WorkQueue(threads: 1)
    weak var waiting: Object?
    let (start, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    _ = queue?.add("a") {
      start.signal()
      end.wait()
    }
    start.wait()
    do {
      let object = Object()
      waiting = object
      let isAdded = queue?.add("a") { withExtendedLifetime(object) {} }
      #expect(isAdded == true)
    }
    queue = nil
    #expect(waiting == nil)
    end.signal()
  }

  @Test func `work without a key runs side by side`() {
    let queue = WorkQueue<Never>(threads: 2)
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isDone = DispatchSemaphore(value: 0)
    // Each piece of work waits for the other one.
    let isAdded = [
      queue.add {
        first.signal()
        second.wait()
        isDone.signal()
      },
      queue.add {
        second.signal()
        first.wait()
        isDone.signal()
      },
    ]
    #expect(isAdded == [true, true])
    for _ in 0..<2 { isDone.wait() }
  }

  @Test(arguments: [nil, "s"])
  func `finished work leaves no object behind in the queue`(_ key: String?) {
    let queue = WorkQueue<String>(threads: 1)
    let (start, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    weak var released: Object?
    do {
      let object = Object()
      released = object
      log.add(key, 1, to: queue, after: start)
      let isAdded = queue.add(key) { withExtendedLifetime(object) {} }
      #expect(isAdded)
    }
    log.add(key, 2, to: queue)
    log.add(key, 3, to: queue, after: end)
    log.add(key, 4, to: queue)
    start.signal()
    log.await(2)
    #expect(released == nil)
    end.signal()
    log.await(2)
  }
}

private final class Object: Sendable {}

/// The numbers of work that was done, and of work that was rejected.
private final class Log: Sendable {
  private let numbers = Mutex<(done: [Int], rejected: [Int])>(([], []))
  private let arrivals = DispatchSemaphore(value: 0)

  var done: [Int] { numbers.withLock { $0.done } }
  var rejected: [Int] { numbers.withLock { $0.rejected } }

  /// Adds work that waits for `gate` and records its number.
  func add(
    _ key: String?, _ number: Int, to queue: WorkQueue<String>,
    after gate: DispatchSemaphore? = nil
  ) {
    let isAdded = queue.add(key) {
      gate?.wait()
      self.numbers.withLock { $0.done.append(number) }
      self.arrivals.signal()
    }
    if !isAdded { numbers.withLock { $0.rejected.append(number) } }
  }

  /// Waits until `count` more pieces of work are done.
  func await(_ count: Int) {
    for _ in 0..<count { arrivals.wait() }
  }
}
