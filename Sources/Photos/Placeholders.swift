import PictureMessages
import Synchronization

/// The placeholders that are made in the background, and the files that this and requests found to be unreadable.
struct Placeholders: Sendable {
  /// The pictures without one.
  var bare: [PhotoFile] = []
  fileprivate var isAsking = false
  fileprivate var made: [(file: PhotoFile, placeholder: PicturePlaceholder)] = []
  private var taken: ContinuousClock.Instant?
  var refused: [PhotoFile] = []

  /// What was made, at most once in ten seconds.
  mutating func takeMade() -> [(file: PhotoFile, placeholder: PicturePlaceholder)] {
    guard !made.isEmpty, taken.map({ .now - $0 > .seconds(10) }) ?? true else { return [] }
    taken = .now
    return take(&made)
  }
}

extension Photos {
  /// Makes placeholders one after the other, the newest pictures first, so that processes are free for requests.
  func makePlaceholders() {
    let isIdle = placeholders.withLock { placeholders in
      guard !placeholders.isAsking, !placeholders.bare.isEmpty else { return false }
      placeholders.bare.sort { $0.modified < $1.modified }
      placeholders.isAsking = true
      return true
    }
    if isIdle { makeNextPlaceholder() }
  }

  private func makeNextPlaceholder() {
    let next = placeholders.withLock { placeholders in
      placeholders.isAsking = !placeholders.bare.isEmpty
      return placeholders.bare.popLast()
    }
    guard let next else { return }
    workers.ask(.placeholder, of: next, in: folder) { [self] result in
      if case .success(let texts) = result, let placeholder = PicturePlaceholder(texts: texts) {
        placeholders.withLock { $0.made.append((next, placeholder)) }
      }
      if let reason = result.reason { refuse(next, reason) }
      makeNextPlaceholder()
    }
  }
}
