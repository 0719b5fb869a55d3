import Synchronization

/// Caches the server's form of a ``Response`` that is sent many times.
///
/// It belongs to one set of fields and one body. A response that changes either of them loses it.
package final class PreparedResponse: Sendable {
  private let stored = Mutex<Handle?>(nil)

  /// Nil if no thread has made it yet.
  package var handle: Handle? { stored.withLock { $0 } }

  /// Stores `handle`, unless another thread was faster.
  package func storeIfNil(_ handle: Handle) { stored.withLock { $0 = $0 ?? handle } }

  package final class Handle: @unchecked Sendable {
    // The pointer never changes. The server locks the object behind it.
    package let pointer: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    /// Takes ownership of `pointer`, which `release` frees.
    package init(_ pointer: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
      self.pointer = pointer
      self.release = release
    }

    deinit { release(pointer) }
  }
}
