import Catalogue
import Dispatch
import SQLCatalogue
import Synchronization
import Testing

@Suite struct PreparationQueueTests {
  /// The stages that ran, in order.
  private final class Record: Sendable {
    private let names = Mutex<[String]>([])
    let end = DispatchSemaphore(value: 0)

    var all: [String] { names.withLock { $0 } }

    /// A stage that fails as often as `failures` says.
    func stage(_ name: String, failures: Int = 0) -> PreparationQueue.Stage {
      {
        let count = self.names.withLock { names in
          names.append(name)
          return names.count { $0 == name }
        }
        if count <= failures { throw CatalogueError.busy(name) }
      }
    }

    var last: PreparationQueue.Stage { { self.end.signal() } }
  }

  @Test func `earlier stages of all jobs run first, one at a time`() {
    let (record, queue, start) = (Record(), PreparationQueue(), DispatchSemaphore(value: 0))
    queue.add([{ start.wait() }])
    for name in ["a", "b", "c"] {
      queue.add([record.stage(name + "0"), record.stage(name + "1"), record.last])
    }
    start.signal()
    for _ in 0..<3 { record.end.wait() }
    #expect(record.all == ["a0", "b0", "c0", "a1", "b1", "c1"])
  }

  @Test func `a stage that fails is tried again, while other jobs run`() {
    let (record, queue) = (Record(), PreparationQueue(pause: .milliseconds(5)))
    queue.add([record.stage("a", failures: 2), record.stage("a1"), record.last])
    queue.add([record.stage("b", failures: 100), record.stage("b1"), record.last])
    queue.add([record.stage("c"), record.last])
    for _ in 0..<3 { record.end.wait() }
    #expect(record.all.count { $0 == "a" } == 3)
    #expect(record.all.count { $0 == "b" } == 8, "after eight failures the next stage runs")
    #expect(record.all.count { $0 == "a1" } == 1 && record.all.last == "b1")
  }

  @Test func `jobs that wait end with the queue`() {
    let (started, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    weak var waiting: Record?
    do {
      let (record, queue) = (Record(), PreparationQueue())
      waiting = record
      queue.add([
        {
          started.signal()
          goOn.wait()
        }
      ])
      queue.add([record.stage("a")])
      started.wait()
    }
    #expect(waiting == nil)
    goOn.signal()
  }
}
