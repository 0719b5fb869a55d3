import Catalogue
@preconcurrency import Dispatch
import Synchronization

/// When changes are folded into the layout of a strip.
package struct FoldingPace: Sendable {
  /// How many changed items those may have to make who load the strip.
  package var patience = 10_000
  /// How many rows of the layout are written in one transaction: some ten or twenty milliseconds.
  package var rows = 16

  package init() {}
}

/// Folds the changes of strips beside the edits that make them, some rows of the layout at a time, so
/// that an edit waits for a few of them at most.
///
/// Of all servers one folds a strip at a time: who does holds a lock of the database's, on a
/// connection of its own, with which it is gone. What a server did not end another begins anew.
final class FoldingQueue: Sendable {
  private let address: Address
  private let pace: FoldingPace
  private let queue = DispatchQueue(label: "carousel.folding", qos: .utility)
  private let waiting = Mutex<Set<String>>([])

  init(_ address: Address, _ pace: FoldingPace) {
    self.address = address
    self.pace = pace
  }

  /// Has a strip's changes folded where too many are `pending`: all those that there are when its turn
  /// comes.
  func add(_ strip: String, pending: Int) {
    guard pending > pace.patience, waiting.withLock({ $0.insert(strip).inserted }) else { return }
    queue.async { [self] in
      // What cannot be done now is done after a later edit.
      try? fold(strip)
      waiting.withLock { _ = $0.remove(strip) }
    }
  }

  private func fold(_ name: String) throws {
    let session = try Session(with: address)
    let begun = try session.reading { () -> Folding? in
      guard let strip = try StripRow.fetch(session, name: name), try lock(strip, session)
      else { return nil }
      return try Folding(of: strip, session)
    }
    guard var folding = begun else { return }
    while try session.transaction({ try folding.step(rows: pace.rows, session) }) {}
  }

  /// Keeps others from folding a strip as long as the session lasts; false where another does.
  private func lock(_ strip: StripRow, _ session: Session) throws -> Bool {
    try session.run(
      "SELECT pg_try_advisory_lock(7161690892365950316 # $1::bigint)", [.integer(strip.number)]
    ).first { try $0.boolean(0) } ?? false
  }
}
