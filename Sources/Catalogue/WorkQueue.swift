package import Dispatch
import Glibc
package import Items
import Synchronization

/// A queue whose length `/metrics` shows.
package protocol CountedQueue: Sendable {
  /// The number of elements that wait or run.
  var count: Int { get }
  var limit: Int { get }
  /// The number of different keys among them.
  var keyCount: Int { get }
  var keyLimit: Int { get }
}

/// Runs work that may block, on a bounded number of its own threads. Threads that answer requests
/// add work and never wait.
///
///     let changes = WorkQueue<String>(threads: 4)
///     let isAdded = changes.add("albums") { ... }   // false: the queue is full, answer 503
///
/// Work with the same key runs one at a time, in the order of addition. Other work runs
/// concurrently. One key can use half of the free capacity, so a flood of its work leaves room for
/// other keys.
package final class WorkQueue<Key: Hashable & Sendable>: CountedQueue {
  package typealias Work = @Sendable () -> Void

  package enum Priority {
    case normal
    /// Runs at nice value 19. It gets a small share of the processor while other threads need it.
    case lowest
  }

  private struct State {
    /// Work that can start, in order. At most one element for each key.
    var ready: [(key: Key?, work: Work)] = []
    /// Work that waits for work of the same key. A key is present while its work is ready or runs.
    var queued: [Key: [Work]] = [:]
    var count = 0
    var threads = 0
  }

  /// The state that the threads share with the queue. It outlives the queue until the last thread ends.
  private final class Shared: Sendable {
    let state = Mutex(State())
    /// Signalled once for each element of `ready`.
    let arrivals = DispatchSemaphore(value: 0)

    func run(_ priority: Priority) {
      // On Linux this applies to the calling thread only.
      if priority == .lowest { setpriority(Int32(PRIO_PROCESS.rawValue), 0, 19) }
      while true {
        arrivals.wait()
        guard
          let (key, work) = state.withLock({ $0.ready.isEmpty ? nil : $0.ready.removeFirst() })
        else { return }
        work()
        finish(key)
      }
    }

    private func finish(_ key: Key?) {
      let isNextReady = state.withLock { state in
        state.count -= 1
        guard let key else { return false }
        guard state.queued[key]?.isEmpty == false, let next = state.queued[key]?.removeFirst()
        else {
          state.queued[key] = nil
          return false
        }
        state.ready.append((key, next))
        return true
      }
      if isNextReady { arrivals.signal() }
    }
  }

  private let shared = Shared()
  private let threadLimit: Int
  package let limit: Int
  package let keyLimit: Int
  private let priority: Priority

  /// Starts the threads here: a thread inherits the nice value of the thread that starts it, which can be 19 in `add`.
  ///
  /// - Parameters:
  ///   - threads: their number. If the system starts fewer, additions start the others.
  ///   - limit: the most elements that wait or run.
  ///   - keyLimit: the most different keys that wait or run.
  package init(threads: Int, limit: Int = 256, keyLimit: Int = .max, priority: Priority = .normal) {
    threadLimit = threads
    self.limit = limit
    self.keyLimit = keyLimit
    self.priority = priority
    shared.state.withLock { startThreads(&$0) }
  }

  private func startThreads(_ state: inout State) {
    while state.threads < threadLimit,
      (try? startThread { [shared, priority] in shared.run(priority) }) != nil
    {
      state.threads += 1
    }
  }

  package var count: Int { shared.state.withLock { $0.count } }

  package var keyCount: Int { shared.state.withLock { $0.queued.count } }

  /// Whether work with this key waits or runs.
  package func has(_ key: Key) -> Bool { shared.state.withLock { $0.queued[key] != nil } }

  /// Ends the threads. Work that has not started never runs.
  deinit {
    let threads = shared.state.withLock { state in
      (state.ready, state.queued) = ([], [:])
      return state.threads
    }
    for _ in 0..<threads { shared.arrivals.signal() }
  }

  /// - Returns: false if the queue is full, or has no thread and the system starts none.
  package func add(_ key: Key? = nil, _ work: @escaping Work) -> Bool {
    shared.state.withLock { state in
      guard state.count < limit else { return false }
      if let key, let known = state.queued[key]?.count {
        // `known` elements wait, and one is ready or runs. The key may have at most as many as the
        // queue has free places.
        guard known + 1 < limit - state.count else { return false }
        state.queued[key]?.append(work)
        state.count += 1
        return true
      }
      if key != nil, state.queued.count >= keyLimit { return false }
      startThreads(&state)
      guard state.threads > 0 else { return false }
      if let key { state.queued[key] = [] }
      state.ready.append((key, work))
      state.count += 1
      shared.arrivals.signal()
      return true
    }
  }
}

extension DispatchQueue {
  /// Runs timers whose work does not block. They would be late on a global queue, whose few threads also read the database.
  package static let timers = DispatchQueue(label: "carousel.timers")
}

/// Starts a thread for `body`, which may block.
///
/// - Throws: `.unavailable` if the system has no memory or no place for another thread. Foundation's `Thread` does not
///   report this.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(CatalogueError) {
  final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let start = Unmanaged.passRetained(Start(body))
  var thread = pthread_t()
  let code = pthread_create(
    &thread, nil,
    { start in
      if let start { Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body() }
      return nil
    }, start.toOpaque())
  guard code == 0 else {
    start.release()
    throw .unavailable("the system starts no other thread: \(String(cString: strerror(code)))")
  }
  pthread_detach(thread)
}
