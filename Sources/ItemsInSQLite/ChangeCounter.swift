import Synchronization

/// Counts what a catalogue takes in, for whoever wants to know whether anything is new.
final class ChangeCounter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .acquiring) }

  /// Called after each change, before anybody is told that it is done.
  func count() { number.add(1, ordering: .releasing) }
}
