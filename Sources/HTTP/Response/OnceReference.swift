import Synchronization

/// A reference that is stored once. Many threads then read it without a lock.
///
/// `AtomicLazyReference` does the same. But the compiler does not specialize its functions, so each
/// call looks up type metadata, which costs 800 instructions.
struct OnceReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let stored = Atomic<Unmanaged<Object>?>(nil)

  deinit { stored.load(ordering: .acquiring)?.release() }

  func load() -> Object? {
    stored.load(ordering: .acquiring)?.takeUnretainedValue()
  }

  /// Stores `object`, unless another thread was faster. Returns the stored object.
  func storeIfNil(_ object: Object) -> Object {
    let new = Unmanaged.passRetained(object)
    let stored = stored.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing
    ).original
    guard let stored else { return object }
    new.release()
    return stored.takeUnretainedValue()
  }
}
