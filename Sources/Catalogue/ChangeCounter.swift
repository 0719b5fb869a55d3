import Synchronization

/// Counts what a catalogue takes in, for whoever wants to know whether anything is new.
package final class ChangeCounter: Sendable {
  private let number = Atomic(0)

  package init() {}

  package var value: Int { number.load(ordering: .acquiring) }

  /// Called after each change, before anybody is told that it is done.
  package func count() { number.add(1, ordering: .releasing) }
}
