import Synchronization

/// Counts the memory of objects against a limit.
///
///     let budget = MemoryBudget(limit: 512 << 20)
///     let layout = MemoryReservation(80_000, of: budget)  // counts until `layout` is dropped
///     let view = budget.reserve(1 << 20)                  // nil if it does not fit
///
/// An object retains the reservation of its memory. Objects that share memory, such as the editions of a strip, all
/// retain the reservation of the shared memory. The type is public because `BoundedCache` is.
///
/// - Complexity: one or two atomic additions for each reservation. Only eviction takes a lock.
public final class MemoryBudget: Sendable {
  public let limit: Int
  private let total = Atomic(0)
  private let parent: MemoryBudget?
  private let evictions = Mutex<[@Sendable () -> Void]>([])

  public init(limit: Int = .max) {
    self.limit = limit
    parent = nil
  }

  /// A part of another budget, for one object that consists of many. It counts as at most `largestPart`.
  package init(within parent: MemoryBudget) {
    limit = parent.largestPart
    self.parent = parent
  }

  /// The most that one object counts, so that a large one does not evict all others.
  @usableFromInline var largestPart: Int { limit / 4 * 3 }

  public var used: Int { total.load(ordering: .relaxed) }

  public var isExceeded: Bool { used > limit }

  @usableFromInline
  func add(_ bytes: Int) {
    let (old, new) = total.wrappingAdd(bytes, ordering: .relaxed)
    parent?.add(min(new, limit) - min(old, limit))
  }

  /// Adds a cache, whose `evict` drops objects while the limit is exceeded. The last cache that was added evicts first.
  package func addCache(_ evict: @escaping @Sendable () -> Void) {
    evictions.withLock { $0.insert(evict, at: 0) }
  }

  package func evict() {
    if let parent { return parent.evict() }
    guard isExceeded else { return }
    for evict in evictions.withLock({ $0 }) where isExceeded { evict() }
  }

  /// Reserves memory for an object that is to be built.
  ///
  /// - Returns: nil if the memory does not fit, even after eviction.
  package func reserve(_ bytes: Int) -> MemoryReservation? {
    let reservation = MemoryReservation(0, of: self)
    return reservation.grow(to: bytes) ? reservation : nil
  }
}

/// Memory that counts against a budget until the last reference to this is dropped.
package final class MemoryReservation: Sendable {
  package let budget: MemoryBudget
  private let size: Atomic<Int>

  package init(_ bytes: Int, of budget: MemoryBudget) {
    self.budget = budget
    size = Atomic(bytes)
    budget.add(bytes)
  }

  deinit { budget.add(-bytes) }

  package var bytes: Int { size.load(ordering: .relaxed) }

  /// Reserves more before an object grows.
  ///
  /// - Returns: false if it does not fit, even after eviction.
  package func grow(to bytes: Int) -> Bool {
    guard bytes <= budget.limit else { return false }
    resize(to: bytes)
    budget.evict()
    return !budget.isExceeded
  }

  /// Counts the true size once the object is built, or has changed.
  package func resize(to bytes: Int) {
    budget.add(bytes - size.exchange(bytes, ordering: .relaxed))
  }
}
