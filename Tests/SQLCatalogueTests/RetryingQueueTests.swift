import Dispatch
import Items
import SQLCatalogue
import Synchronization
import Testing
import Views

@Suite struct RetryingQueueTests {
  /// The jobs that ran and ended, in order.
  private final class Record: Sendable {
    private let names = Mutex<[String]>([])
    private let end = DispatchSemaphore(value: 0)

    var all: [String] { names.withLock { $0 } }

    /// Adds a job that fails as often as `failures` says.
    func add(_ name: String, failures: Int = 0, to queue: RetryingQueue) {
      queue.add {
        let count = self.names.withLock { names in
          names.append(name)
          return names.count { $0 == name }
        }
        if count <= failures { throw CatalogueError.busy(name) }
      } atEnd: {
        self.names.withLock { $0.append("end of \(name)") }
        self.end.signal()
      }
    }

    func wait(forEndsOf count: Int) {
      for _ in 0..<count { end.wait() }
    }
  }

  @Test func `jobs run one at a time, in the order of addition`() {
    let (record, queue, start) = (Record(), RetryingQueue(), DispatchSemaphore(value: 0))
    queue.add({ start.wait() }, atEnd: {})
    for name in ["a", "b", "c"] { record.add(name, to: queue) }
    start.signal()
    record.wait(forEndsOf: 3)
    #expect(record.all == ["a", "end of a", "b", "end of b", "c", "end of c"])
  }

  @Test func `a job that fails is tried again, while other jobs run`() {
    let (record, queue) = (Record(), RetryingQueue(pause: .milliseconds(5)))
    record.add("a", failures: 2, to: queue)
    record.add("b", failures: 100, to: queue)
    record.add("c", to: queue)
    record.wait(forEndsOf: 3)
    #expect(record.all.count { $0 == "a" } == 3)
    #expect(record.all.count { $0 == "b" } == 8, "it ends after eight failures")
    #expect(record.all.count { $0.hasPrefix("end") } == 3 && record.all.last == "end of b")
  }

  @Test func `a job that gets no place ends after eight attempts`() {
    let (record, queue) = (Record(), RetryingQueue(pause: .microseconds(100), limit: 0))
    record.add("a", to: queue)
    record.wait(forEndsOf: 1)
    #expect(record.all == ["end of a"])
  }

  @Test func `jobs that wait end with the queue`() {
    let (started, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    weak var waiting: Record?
    do {
      let (record, queue) = (Record(), RetryingQueue())
      waiting = record
      queue.add {
        started.signal()
        goOn.wait()
      } atEnd: {
      }
      record.add("a", to: queue)
      started.wait()
    }
    #expect(waiting == nil)
    goOn.signal()
  }
}
