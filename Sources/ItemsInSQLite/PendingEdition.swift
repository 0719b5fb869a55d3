import Catalogue
@preconcurrency import Dispatch
import Synchronization

/// A strip as a change leaves it, made in memory while the change is brought to the disk: with many
/// items the one takes as long as the other.
///
/// Nobody is given it before the change is committed, and nobody at all where that fails.
final class PendingEdition: Sendable {
  /// With fewer changes the other thread is not worth its while.
  static let leastCount = 64

  private static let queue = DispatchQueue(label: "carousel.coming", qos: .userInitiated)

  private let former: StoredStrip
  private let made = Mutex<StoredStrip?>(nil)
  private let making = DispatchGroup()

  /// Begins to make it.
  ///
  /// - Parameters:
  ///   - row: the strip as it will be.
  ///   - former: the strip that the change is made to.
  ///   - kinds: those that the strip will have.
  init(
    _ row: StripRow, after former: StoredStrip, _ step: LayoutStep, kinds: [String],
    database: SQLiteReaders
  ) {
    self.former = former
    Self.queue.async(group: making) { [self] in
      // Where this does not succeed, the strip is read.
      let strip = try? former.after(step, row, kinds: kinds, database: database)
      made.withLock { $0 = strip }
    }
  }

  /// The strip, once it is made; nil where it does not follow on `known`.
  ///
  /// - Precondition: The change is committed.
  func strip(after known: StoredStrip) -> StoredStrip? {
    guard known.number == former.number, known.edition.revision == former.edition.revision else {
      return nil
    }
    making.wait()
    return made.withLock { $0 }
  }
}
