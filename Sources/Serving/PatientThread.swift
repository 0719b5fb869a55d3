import Foundation
import Glibc
import Synchronization

/// A thread that does one thing after the other, and gives way to all the others: what it does is
/// long, and whoever answers meanwhile must not feel it.
final class PatientThread: Sendable {
  /// What the thread knows; it outlives whoever hands it things to do.
  private final class Work: Sendable {
    let waiting = Mutex<[@Sendable () -> Void]>([])
    let isEnded = Atomic(false)
    let bell = DispatchSemaphore(value: 0)

    func run() {
      // The least of all priorities; on Linux it holds for the calling thread alone.
      setpriority(Int32(PRIO_PROCESS.rawValue), 0, 19)
      while true {
        bell.wait()
        if isEnded.load(ordering: .acquiring) { return }
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
      }
    }
  }

  private let work = Work()
  private let isStarted = Mutex(false)

  /// Lets the thread end; what waits is not done.
  deinit {
    work.isEnded.store(true, ordering: .releasing)
    work.bell.signal()
  }

  /// Does `job` when its turn comes; the first one starts the thread.
  func run(_ job: @escaping @Sendable () -> Void) {
    work.waiting.withLock { $0.append(job) }
    isStarted.withLock { isStarted in
      if !isStarted { Thread.detachNewThread { [work] in work.run() } }
      isStarted = true
    }
    work.bell.signal()
  }
}
