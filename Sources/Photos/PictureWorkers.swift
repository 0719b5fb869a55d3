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
    let end: @Sendable (Result) -> Void
  }

  private struct State {
    /// Requests for pictures, the oldest first: the newest is next, since older ones may have left the view.
    var requests: [Question] = []
    /// Headers, and after them placeholders. The oldest is next.
    var headers: [Question] = []
    var placeholders: [Question] = []
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

  /// The questions, and those that ended the process.
  var counts: (asked: Int, ended: Int) { state.withLock(\.counts) }

  var waitingRequests: Int { state.withLock(\.requests.count) }

  /// Ends the processes after their present questions. Waiting questions end, too.
  package func stop() {
    let waiting = state.withLock { state in
      state.isStopped = true
      return take(&state.requests) + take(&state.headers) + take(&state.placeholders)
    }
    for question in waiting { question.end(.failure(.unasked)) }
    for _ in 0..<count { arrivals.signal() }
  }

  /// Asks on one of the threads.
  ///
  /// If too many requests wait, the oldest one ends.
  ///
  /// - Parameters:
  ///   - name: for ``raise(_:)``.
  ///   - open: returns descriptors, which are closed after the answer. Empty if there are none; nil if no request waits for the answer.
  ///   - end: gets the answer on that thread; the failure `.ended` if the process was ended. Not called then.
  /// - Returns: false if the processes have stopped.
  @discardableResult
  package func ask(
    _ question: PictureQuestion, _ texts: String..., named name: String = "",
    opening open: @escaping @Sendable () -> [Int32]?, _ end: @escaping @Sendable (Result) -> Void
  ) -> Bool {
    let asked = Question(name: name, texts: [question.rawValue] + texts, open: open, end: end)
    var oldest: Question?
    let isTaken = state.withLock { state in
      guard !state.isStopped else { return false }
      switch question {
      case .make:
        state.requests.append(asked)
        if state.requests.count > Self.requestLimit { oldest = state.requests.removeFirst() }
      case .header: state.headers.append(asked)
      case .placeholder: state.placeholders.append(asked)
      }
      return true
    }
    if isTaken, oldest == nil { arrivals.signal() }
    oldest?.end(.failure(.unasked))
    return isTaken
  }

  /// Makes a request that waits the next one.
  package func raise(_ name: String) {
    state.withLock { state in
      guard let at = state.requests.lastIndex(where: { $0.name == name }) else { return }
      state.requests.append(state.requests.remove(at: at))
    }
  }

  /// Asks about a file.
  @discardableResult
  func ask(
    _ question: PictureQuestion, of file: PhotoFile, in folder: PhotoFolder,
    _ end: @escaping @Sendable (Result) -> Void
  ) -> Bool {
    ask(question, opening: { folder.open(file).map { [$0] } ?? [] }, end)
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
    while let file = next() {
      if asked % 32 == 0 { slots.wait() }
      asked += 1
      all.enter()
      let isAsked = ask(question, of: file, in: folder) { result in
        let count = answers.withLock { answers in
          answers.new.append((file, result))
          answers.count += 1
          return answers.count
        }
        if count % 32 == 0 { slots.signal() }
        all.leave()
      }
      guard isAsked else { return all.leave() }
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
      if let newest = state.requests.popLast() { return newest }
      if !state.headers.isEmpty { return state.headers.removeFirst() }
      return state.placeholders.isEmpty ? nil : state.placeholders.removeFirst()
    }
  }

  private func run(_ program: String) {
    var process = PictureProcess(program: program)
    while let next = next() {
      guard let files = next.open() else { continue }
      let result =
        files.isEmpty ? .failure(.unasked) : answer(to: next, about: files, from: &process)
      for file in files { close(file) }
      next.end(result)
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
        switch error {
        case .killed: continue
        case .ended:
          state.withLock { $0.counts.ended += 1 }
          if attempt > 1 { return .failure(.ended) }
        default: return .failure(error)
        }
      }
    }
    return .failure(.ended)
  }
}
