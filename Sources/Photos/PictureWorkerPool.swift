import Catalogue
import Foundation
package import Items
package import PictureMessages
import Synchronization

/// Threads that each run jobs in a process `carousel-pictures`. The most urgent job is next.
package final class PictureWorkerPool: Sendable {
  package typealias Result = Swift.Result<[String], PictureProcess.Failure>

  private struct Job: Sendable {
    let name: String
    let texts: [String]
    /// Opens the files.
    let open: @Sendable () -> [Int32]?
    let completion: @Sendable (Result, [Int32]) -> Void
  }

  private struct State {
    /// The oldest of each kind is first.
    var waiting: [PictureOperation: [Job]] = [:]
    var isStopped = false
    var counts = (jobs: 0, crashes: 0)
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  let count: Int
  /// The most requests that wait.
  package static let requestLimit = 256

  /// - Parameters:
  ///   - program: the path of `carousel-pictures`.
  ///   - count: the number of processes.
  /// - Throws: `.unavailable` if the system starts no thread.
  package init(program: String, count: Int) throws(CatalogueError) {
    self.count = count
    do throws(CatalogueError) {
      for _ in 0..<count { try startThread { [self] in run(program) } }
    } catch {
      stop()
      throw error
    }
  }

  var isStopped: Bool { state.withLock(\.isStopped) }

  /// The jobs, and the processes that have ended during one.
  var counts: (jobs: Int, crashes: Int) { state.withLock(\.counts) }

  var waitingRequests: Int { state.withLock { $0.waiting[.make]?.count ?? 0 } }

  /// Ends the processes after their present jobs. Waiting jobs are cancelled.
  package func stop() {
    let waiting = state.withLock { state in
      state.isStopped = true
      defer { state.waiting = [:] }
      return state.waiting.values.joined()
    }
    for job in waiting { job.completion(.failure(.cancelled), []) }
    for _ in 0..<count { arrivals.signal() }
  }

  /// Runs a job on one of the threads.
  ///
  /// If too many requests wait, the oldest one is cancelled.
  ///
  /// - Parameters:
  ///   - name: for ``prioritize(_:)``.
  ///   - open: returns descriptors, which are closed after `completion`. Empty, or with -1, if a file cannot be opened;
  ///     nil if the job is not needed any more.
  ///   - completion: gets the result and the descriptors, on that thread. Not called if `open` returned nil.
  package func submit(
    _ operation: PictureOperation, _ texts: String..., named name: String = "",
    opening open: @escaping @Sendable () -> [Int32]?,
    _ completion: @escaping @Sendable (Result, [Int32]) -> Void
  ) {
    let job = Job(
      name: name, texts: [operation.rawValue] + texts, open: open, completion: completion)
    let cancelled = state.withLock { state -> Job? in
      guard !state.isStopped else { return job }
      state.waiting[operation, default: []].append(job)
      let isFull = operation == .make && state.waiting[.make, default: []].count > Self.requestLimit
      return isFull ? state.waiting[.make]?.removeFirst() : nil
    }
    if let cancelled { cancelled.completion(.failure(.cancelled), []) } else { arrivals.signal() }
  }

  /// Makes a request that waits the next one.
  package func prioritize(_ name: String) {
    state.withLock { state in
      guard let at = state.waiting[.make]?.lastIndex(where: { $0.name == name }),
        let request = state.waiting[.make]?.remove(at: at)
      else { return }
      state.waiting[.make]?.append(request)
    }
  }

  /// Runs a job on a file.
  func submit(
    _ operation: PictureOperation, on file: PhotoFile, in folder: PhotoFolder,
    _ completion: @escaping @Sendable (Result) -> Void
  ) {
    submit(operation, opening: { folder.open(file).map { [$0] } ?? [] }) { result, _ in
      completion(result)
    }
  }

  /// Runs a job on each file that `next` returns, until there are no more, or the processes stop. `body` gets the results in
  /// batches, the first after a tenth of a second. The pause after a batch is ten times as long as `body` took for it, within
  /// limits. The processes work on waiting jobs while `body` runs.
  func runAll(
    _ operation: PictureOperation, in folder: PhotoFolder, _ next: () -> PhotoFile?,
    results body: ([(file: PhotoFile, result: Result)]) -> Void
  ) {
    let results = Mutex<(new: [(file: PhotoFile, result: Result)], count: Int)>(([], 0))
    // A slot is for 32 jobs: this thread seldom wakes.
    let slots = DispatchSemaphore(value: 0)
    for _ in 0..<2 * count { slots.signal() }
    let all = DispatchGroup()
    var (submitted, taken, pause) = (0, ContinuousClock.now, Duration.milliseconds(100))
    while !isStopped, let file = next() {
      if submitted % 32 == 0 { slots.wait() }
      submitted += 1
      all.enter()
      submit(operation, on: file, in: folder) { result in
        let count = results.withLock { results in
          results.new.append((file, result))
          results.count += 1
          return results.count
        }
        if count % 32 == 0 { slots.signal() }
        all.leave()
      }
      let start = ContinuousClock.now
      guard start - taken > pause else { continue }
      body(results.withLock { take(&$0.new) })
      taken = .now
      pause = min(max(start.duration(to: taken) * 10, .milliseconds(100)), .seconds(2))
    }
    // A process may take long for its last picture.
    while all.wait(timeout: .now() + .milliseconds(100)) == .timedOut { if isStopped { return } }
    body(results.withLock { take(&$0.new) })
  }

  private func next() -> Job? {
    arrivals.wait()
    return state.withLock { state in
      // The newest request: what older ones ask for may have left the view.
      if let newest = state.waiting[.make]?.popLast() { return newest }
      let kind = PictureOperation.allCases.first { state.waiting[$0]?.isEmpty == false }
      return kind.flatMap { state.waiting[$0]?.removeFirst() }
    }
  }

  private func run(_ program: String) {
    var process = PictureProcess(program: program)
    while let next = next() {
      guard let files = next.open() else { continue }
      let isOpen = !files.isEmpty && !files.contains(-1)
      let result = isOpen ? run(next, on: files, in: &process) : .failure(.cancelled)
      next.completion(result, files)
      for file in files { close(file) }
    }
  }

  /// Tries a job up to three times. An earlier picture may have damaged the process. A user may have killed it, or the system,
  /// because memory was short.
  private func run(_ job: Job, on files: [Int32], in process: inout PictureProcess) -> Result {
    for attempt in 1...3 {
      state.withLock { $0.counts.jobs += 1 }
      // A file to write to may have a part of the picture.
      for target in files.dropFirst() where ftruncate(target, 0) == 0 { lseek(target, 0, SEEK_SET) }
      do throws(PictureProcess.Failure) {
        let texts = try process.run(job.texts, on: files)
        let isHeader = job.texts.first != PictureOperation.make.rawValue
        return isHeader && PictureHeader(texts: texts) == nil
          ? .failure(.unreadable("its header is not one of a picture")) : .success(texts)
      } catch {
        if [.killed, .crashed, .timedOut].contains(error) {
          state.withLock { $0.counts.crashes += 1 }
        }
        let isRetried = [.killed, .exited].contains(error) || error == .crashed && attempt == 1
        guard isRetried else { return .failure(error) }
      }
    }
    return .failure(.crashed)
  }
}
