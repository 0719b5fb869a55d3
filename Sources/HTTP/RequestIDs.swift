import Synchronization

/// Names for the requests that bring none: `5f3a-1`, `5f3a-2` ... of one process.
package final class RequestIDs: Sendable {
  private let number = Atomic(0)
  /// Tells this process's requests from those of another.
  private let process = String(UInt64.random(in: 0...UInt64.max), radix: 16)

  package init() {}

  /// A name that no other request of this process has had.
  package func next() -> String {
    "\(process)-\(number.wrappingAdd(1, ordering: .relaxed).newValue)"
  }
}
