import PictureMessages
import Synchronization

/// The placeholders that are made in the background.
struct Placeholders: Sendable {
  /// The pictures without one.
  private var withoutPlaceholder: [PhotoFile] = []
  /// Whether the newest of them is the last.
  private var isSorted = true
  private var isRunning = false
  private var made: [(file: PhotoFile, header: PictureHeader)] = []
  private var taken: ContinuousClock.Instant?

  mutating func add(_ file: PhotoFile) {
    withoutPlaceholder.append(file)
    isSorted = false
  }

  /// The newest of the pictures without one. Nil while another is made.
  fileprivate mutating func next() -> PhotoFile? {
    guard !isRunning else { return nil }
    if !isSorted { withoutPlaceholder.sort { $0.modified < $1.modified } }
    isSorted = true
    isRunning = !withoutPlaceholder.isEmpty
    return withoutPlaceholder.popLast()
  }

  fileprivate mutating func end(_ file: PhotoFile, _ header: PictureHeader?) {
    isRunning = false
    if let header { made.append((file, header)) }
  }

  /// What was made, at most once in ten seconds.
  mutating func takeMade() -> [(file: PhotoFile, header: PictureHeader)] {
    guard !made.isEmpty, taken.map({ .now - $0 > .seconds(10) }) ?? true else { return [] }
    taken = .now
    return take(&made)
  }
}

extension PhotoLibrary {
  /// Makes placeholders one after the other, the newest pictures first, so that processes are free for requests.
  func makePlaceholders() {
    guard !workers.isStopped, let next = placeholders.withLock({ $0.next() }) else { return }
    workers.submit(.placeholder, on: next, in: folder) { [self] result in
      let header = (try? result.get()).flatMap(PictureHeader.init)
      if let reason = result.reason { reject(next, reason) }
      placeholders.withLock { $0.end(next, header) }
      makePlaceholders()
    }
  }
}
