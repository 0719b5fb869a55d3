import Synchronization

/// How far a catalogue is with what it reads before it is asked: counted by one thread, looked at by
/// others.
package final class LoadProgress: Sendable {
  private let all = Atomic(0)
  private let done = Atomic(0)
  private let waiting = Mutex<String?>(nil)

  package init() {}

  /// How many items there are to read, as far as is known.
  package var total: Int { all.load(ordering: .relaxed) }

  /// How many of them have been read.
  package var loaded: Int { done.load(ordering: .relaxed) }

  /// Why nothing can be read yet, a sentence for the operator; nil where something can.
  package var obstacle: String? {
    get { waiting.withLock { $0 } }
    set { waiting.withLock { $0 = newValue } }
  }

  /// Counts items that are to be read.
  package func expect(_ count: Int) { all.add(count, ordering: .relaxed) }

  /// Counts items that have been read.
  package func add(_ count: Int) { done.add(count, ordering: .relaxed) }
}
