import Foundation
package import PictureMessages
import Synchronization

/// Threads that each ask a process `carousel-pictures`. The most urgent question is next.
package final class PictureWorkers: Sendable {
  package typealias Result = Swift.Result<[String], PictureProcess.Failure>

  private struct Question: Sendable {
    let name: String
    let texts: [String]
    /// Opens the files.
    let open: @Sendable () -> [Int32]?
    let end: @Sendable (Result, [Int32]) -> Void
  }

  private struct State {
    /// The oldest of each kind is first.
    var waiting: [PictureQuestion: [Question]] = [:]
    var isStopped = false
    var counts = (asked: 0, ended: 0)
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  let count: Int
  /// The most requests that wait.
  package static let requestLimit = 256

  /// - Parameters:
  ///   - program: the path of `carousel-pictures`.
  ///   - count: the number of processes.
  package init(program: String, count: Int) {
    self.count = count
    for _ in 0..<count { Thread.detachNewThread { [self] in run(program) } }
  }

  var isStopped: Bool { state.withLock(\.isStopped) }

  /// The questions, and the processes that have ended.
  var counts: (asked: Int, ended: Int) { state.withLock(\.counts) }

  var waitingRequests: Int { state.withLock { $0.waiting[.make]?.count ?? 0 } }

  /// Ends the processes after their present questions. Waiting questions end, too.
  package func stop() {
    let waiting = state.withLock { state in
      state.isStopped = true
      defer { state.waiting = [:] }
      return state.waiting.values.joined()
    }
    for question in waiting { question.end(.failure(.unasked), []) }
    for _ in 0..<count { arrivals.signal() }
  }

  /// Asks on one of the threads.
  ///
  /// If too many requests wait, the oldest one ends.
  ///
  /// - Parameters:
  ///   - name: for ``raise(_:)``.
  ///   - open: returns descriptors, which are closed after `end`. Empty, or with -1, if a file cannot be opened; nil if nobody
  ///     waits for the answer.
  ///   - end: gets the answer and the descriptors, on that thread. Not called if nobody waits for the answer.
  package func ask(
    _ question: PictureQuestion, _ texts: String..., named name: String = "",
    opening open: @escaping @Sendable () -> [Int32]?,
    _ end: @escaping @Sendable (Result, [Int32]) -> Void
  ) {
    let asked = Question(name: name, texts: [question.rawValue] + texts, open: open, end: end)
    let unasked = state.withLock { state -> Question? in
      guard !state.isStopped else { return asked }
      state.waiting[question, default: []].append(asked)
      let isFull = question == .make && state.waiting[.make, default: []].count > Self.requestLimit
      return isFull ? state.waiting[.make]?.removeFirst() : nil
    }
    if let unasked { unasked.end(.failure(.unasked), []) } else { arrivals.signal() }
  }

  /// Makes a request that waits the next one.
  package func raise(_ name: String) {
    state.withLock { state in
      guard let at = state.waiting[.make]?.lastIndex(where: { $0.name == name }),
        let request = state.waiting[.make]?.remove(at: at)
      else { return }
      state.waiting[.make]?.append(request)
    }
  }

  /// Asks about a file.
  func ask(
    _ question: PictureQuestion, of file: PhotoFile, in folder: PhotoFolder,
    _ end: @escaping @Sendable (Result) -> Void
  ) {
    ask(question, opening: { folder.open(file).map { [$0] } ?? [] }) { result, _ in end(result) }
  }

  /// Asks about files until there are no more, or the processes stop. `answers` gets what was answered: soon at first, then for
  /// about a tenth of the time. More questions wait than the processes answer while it runs.
  func ask(
    _ question: PictureQuestion, in folder: PhotoFolder, _ next: () -> PhotoFile?,
    answers body: ([(file: PhotoFile, result: Result)]) -> Void
  ) {
    let answers = Mutex<(new: [(file: PhotoFile, result: Result)], count: Int)>(([], 0))
    // A slot is for 32 questions: this thread seldom wakes.
    let slots = DispatchSemaphore(value: 0)
    for _ in 0..<2 * count { slots.signal() }
    let all = DispatchGroup()
    var (asked, taken, pause) = (0, ContinuousClock.now, Duration.milliseconds(100))
    while !isStopped, let file = next() {
      if asked % 32 == 0 { slots.wait() }
      asked += 1
      all.enter()
      ask(question, of: file, in: folder) { result in
        let count = answers.withLock { answers in
          answers.new.append((file, result))
          answers.count += 1
          return answers.count
        }
        if count % 32 == 0 { slots.signal() }
        all.leave()
      }
      let start = ContinuousClock.now
      guard start - taken > pause else { continue }
      body(answers.withLock { take(&$0.new) })
      taken = .now
      pause = min(max(start.duration(to: taken) * 10, .milliseconds(100)), .seconds(2))
    }
    // A process may take long for its last picture.
    while all.wait(timeout: .now() + .milliseconds(100)) == .timedOut { if isStopped { return } }
    body(answers.withLock { take(&$0.new) })
  }

  private func next() -> Question? {
    arrivals.wait()
    return state.withLock { state in
      // The newest request: what older ones ask for may have left the view.
      if let newest = state.waiting[.make]?.popLast() { return newest }
      let kind = PictureQuestion.allCases.first { state.waiting[$0]?.isEmpty == false }
      return kind.flatMap { state.waiting[$0]?.removeFirst() }
    }
  }

  private func run(_ program: String) {
    var process = PictureProcess(program: program)
    while let next = next() {
      guard let files = next.open() else { continue }
      let isOpen = !files.isEmpty && !files.contains(-1)
      let result = isOpen ? answer(to: next, about: files, from: &process) : .failure(.unasked)
      next.end(result, files)
      for file in files { close(file) }
    }
  }

  /// Asks up to three times: an earlier picture may have damaged the process, somebody may have ended it, or the system, which
  /// had no memory left.
  private func answer(
    to question: Question, about files: [Int32], from process: inout PictureProcess
  ) -> Result {
    for attempt in 1...3 {
      state.withLock { $0.counts.asked += 1 }
      // A file to write to may have a part of the picture.
      for target in files.dropFirst() where ftruncate(target, 0) == 0 { lseek(target, 0, SEEK_SET) }
      do throws(PictureProcess.Failure) {
        let texts = try process.ask(question.texts, files)
        let isHeader = question.texts.first != PictureQuestion.make.rawValue
        return isHeader && PictureHeader(texts: texts) == nil
          ? .failure(.unreadable("its header is not one of a picture")) : .success(texts)
      } catch {
        if [.killed, .ended, .late].contains(error) { state.withLock { $0.counts.ended += 1 } }
        let isAskedAgain = [.killed, .left].contains(error) || error == .ended && attempt == 1
        guard isAskedAgain else { return .failure(error) }
      }
    }
    return .failure(.ended)
  }
}
