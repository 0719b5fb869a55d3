import Synchronization

/// The progress of `StripCatalogue.load(_:)`: one thread counts, other threads read.
package final class LoadProgress: Sendable {
  private let expected = Atomic(0)
  private let done = Atomic(0)
  private let waiting = Mutex<String?>(nil)

  package init() {}

  /// The number of items to read, as far as it is known.
  package var total: Int { expected.load(ordering: .relaxed) }

  /// The number of items that have been read.
  package var loaded: Int { done.load(ordering: .relaxed) }

  /// Why nothing can be read now, as a sentence for the operator; nil if reading is possible.
  package var unavailabilityReason: String? {
    get { waiting.withLock { $0 } }
    set { waiting.withLock { $0 = newValue } }
  }

  package func expect(_ count: Int) { expected.add(count, ordering: .relaxed) }

  package func add(_ count: Int) { done.add(count, ordering: .relaxed) }
}
