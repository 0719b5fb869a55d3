package import Synchronization

/// Where a daemon keeps what it made of a response that is sent again and again.
///
///     let kept = Response("application/json", json).tagged(tag).kept()
///     cache[key] = kept     // each answer with it, or its 304, is queued as it is
///
/// It belongs to the headers and the body: changing either of them gives it up.
package final class PreparedResponse: Sendable {
  /// What was made, by whichever thread came first.
  package let made = AtomicLazyReference<Made>()

  /// A daemon's handle of what it sends, from any thread.
  package final class Made: @unchecked Sendable {
    // Never changed, and the daemon's own to lock.
    package let handle: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    /// Owns `handle`, which `release` frees.
    package init(_ handle: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
      self.handle = handle
      self.release = release
    }

    deinit { release(handle) }
  }
}
