import Foundation
import PictureMessages
import Synchronization

/// Threads that each ask a process `carousel-pictures`. The most urgent question is next.
final class PictureWorkers: Sendable {
  /// What a question is for, the most urgent first.
  enum Urgency: Int, CaseIterable {
    /// A reader waits for the picture.
    case request
    /// A new or changed file becomes an item.
    case header
    /// A card gets its placeholder.
    case placeholder
  }

  typealias Result = Swift.Result<[String], PictureProcess.Failure>

  private struct Question: Sendable {
    let question: [String]
    /// Opens the files. Empty if the question is no longer of use.
    let open: @Sendable () -> [Int32]
    let end: @Sendable (Result) -> Void
  }

  private struct State {
    /// By urgency. The newest request is first: older ones may have left the view.
    var waiting = [[Question]](repeating: [], count: Urgency.allCases.count)
    var isStopped = false
    var counts = (asked: 0, ended: 0)
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  let count: Int
  /// The most requests that wait.
  static let requestLimit = 256

  /// - Parameters:
  ///   - program: the path of `carousel-pictures`.
  ///   - count: the number of processes.
  init(program: String, count: Int) {
    self.count = count
    for _ in 0..<count { Thread.detachNewThread { [self] in run(program) } }
  }

  /// The questions, and those that ended the process.
  var counts: (asked: Int, ended: Int) { state.withLock(\.counts) }

  var waitingRequests: Int { state.withLock { $0.waiting[Urgency.request.rawValue].count } }

  /// Ends the processes after their present questions. Waiting questions end, too.
  func stop() {
    let waiting = state.withLock { state in
      state.isStopped = true
      return state.waiting.indices.flatMap { take(&state.waiting[$0]) }
    }
    for question in waiting { question.end(.failure(.unasked)) }
    for _ in 0..<count { arrivals.signal() }
  }

  /// Asks on one of the threads.
  ///
  /// - Parameters:
  ///   - open: returns descriptors, which are closed after the answer. Empty if the question is no longer of use.
  ///   - end: gets the answer on that thread; the failure `.ended` if the process was ended.
  /// - Returns: false if too many requests wait.
  @discardableResult
  func ask(
    _ question: PictureQuestion, _ texts: String..., for urgency: Urgency,
    opening open: @escaping @Sendable () -> [Int32], _ end: @escaping @Sendable (Result) -> Void
  ) -> Bool {
    let question = Question(question: [question.rawValue] + texts, open: open, end: end)
    let isTaken = state.withLock { state in
      guard !state.isStopped else { return false }
      if urgency == .request, state.waiting[urgency.rawValue].count >= Self.requestLimit {
        return false
      }
      state.waiting[urgency.rawValue].append(question)
      return true
    }
    if isTaken { arrivals.signal() }
    return isTaken
  }

  /// Asks about a file that becomes an item, or whose card gets its placeholder.
  @discardableResult
  func ask(
    _ question: PictureQuestion, of file: PhotoFile, in folder: PhotoFolder,
    _ end: @escaping @Sendable (Result) -> Void
  ) -> Bool {
    let urgency = question == .placeholder ? Urgency.placeholder : .header
    return ask(question, for: urgency, opening: { folder.open(file).map { [$0] } ?? [] }, end)
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
    all.wait()
    body(answers.withLock { take(&$0.new) })
  }

  private func next() -> Question? {
    arrivals.wait()
    return state.withLock { state in
      if let newest = state.waiting[Urgency.request.rawValue].popLast() { return newest }
      for k in 1..<state.waiting.count where !state.waiting[k].isEmpty {
        return state.waiting[k].removeFirst()
      }
      return nil
    }
  }

  private func ask(_ process: inout PictureProcess, _ next: Question, _ files: [Int32]) -> Result {
    // A second attempt writes the file again.
    if let target = files.dropFirst().first, ftruncate(target, 0) == 0 {
      lseek(target, 0, SEEK_SET)
    }
    let result = Swift.Result { () throws(PictureProcess.Failure) in
      try process.ask(next.question, files)
    }
    let isEnded = if case .failure(.ended) = result { 1 } else { 0 }
    state.withLock { $0.counts = ($0.counts.asked + 1, $0.counts.ended + isEnded) }
    return result
  }

  private func run(_ program: String) {
    var process = PictureProcess(program: program)
    while let next = next() {
      let files = next.open()
      guard !files.isEmpty else {
        next.end(.failure(.unasked))
        continue
      }
      var result = ask(&process, next, files)
      // An earlier picture has damaged the process, somebody has ended it, or the system has, which had no memory left.
      for attempt in 1...3 {
        switch result {
        case .failure(.ended) where attempt == 1, .failure(.killed) where attempt < 3:
          result = ask(&process, next, files)
        case .failure(.killed): result = .failure(.ended)
        default: break
        }
      }
      for file in files { close(file) }
      next.end(result)
    }
  }
}
