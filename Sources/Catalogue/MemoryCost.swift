import Synchronization
import Windowing

/// Something that is held in bounded memory, and says what it takes of that.
package protocol Weighed: AnyObject, Sendable {
  var weight: MemoryCost { get }
}

/// How many bytes a held strip takes, about: set by whoever changes it, counted by `StripCache`.
package final class MemoryCost: Sendable {
  private let present = Atomic(MemoryCost.bytesOfNone)
  private let known = Atomic(0)

  package init() {}

  /// A strip of which nothing has been read.
  private static let bytesOfNone = 500

  /// Bytes of a strip of so many items: of a few some thousands, of ten million a hundred million.
  package static func bytes(ofItems count: Int) -> Int { 3000 + 10 * count }

  /// Bytes by now.
  package var bytes: Int { present.load(ordering: .relaxed) }

  /// Bytes that were counted last.
  var counted: Int { known.load(ordering: .relaxed) }

  /// Notes what is held by now: the newest edition, and so many former ones, which share all with
  /// it but what edits have changed.
  package func set(_ newest: PlacedStrip, former: Int) {
    let sum = Self.bytes(ofItems: newest.strip.count) + newest.positions.weight + 8000 * former
    present.store(Self.bytesOfNone + sum, ordering: .relaxed)
  }

  /// Takes the present bytes as those that count, and gives them.
  func count() -> Int {
    let bytes = bytes
    known.store(bytes, ordering: .relaxed)
    return bytes
  }
}
