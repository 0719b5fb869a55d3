import Synchronization

/// Counts the memory of objects against a limit.
///
///     let budget = MemoryBudget(limit: 512 << 20)
///     let layout = MemoryReservation(80_000, of: budget)  // counts until `layout` is dropped
///     let view = budget.reserve(1 << 20)                  // nil if it does not fit
///
/// An object retains the reservation of its memory. Objects that share memory, such as the snapshots of a strip, all
/// retain the reservation of the shared memory. The type is public because `BoundedCache` is.
///
/// - Complexity: three to six atomic additions for each reservation. Only eviction takes a lock.
public final class MemoryBudget: Sendable {
  private static let maxPasses = 1000

  public let limit: Int
  /// The bytes of all objects.
  private let total = Atomic(0)
  /// The bytes that count against the limit. A part counts as at most `largestPart`.
  private let counted = Atomic(0)
  /// The number of times that `counted` grew.
  private let additions = Atomic(0)
  /// The bytes that a reservation needs while it evicts.
  private let pending = Atomic(0)
  /// `isOverSoftLimit` is true above these bytes of `overcommit`.
  private let softLimit: Atomic<Int>
  private let parent: MemoryBudget?
  private let caches = Mutex<[@Sendable () -> Bool]>([])
  /// Held while a reservation evicts. Other reservations wait, so that they do not take the freed bytes.
  private let evicting = Mutex(())

  public init(limit: Int = .max) {
    self.limit = limit
    softLimit = Atomic(limit / 8)
    parent = nil
  }

  /// A part of another budget, for one object that consists of many. It counts as at most `largestPart`.
  package init(within parent: MemoryBudget) {
    limit = parent.largestPart
    softLimit = Atomic(.max)
    self.parent = parent
  }

  /// The most that one object counts against the limit, so that a large one does not evict all others.
  @usableFromInline var largestPart: Int { limit / 4 * 3 }

  /// The bytes of all objects. More than the limit if a part is larger than `largestPart`.
  public var used: Int { total.load(ordering: .relaxed) }

  /// Whether caches must evict.
  public var isOverLimit: Bool { !fits(pending.load(ordering: .relaxed)) }

  /// The bytes of large parts that do not count against the limit.
  private var overcommit: Int {
    total.load(ordering: .relaxed) - counted.load(ordering: .relaxed)
  }

  /// Whether `overcommit` has grown by an eighth of the limit since the last eviction. `isOverLimit` cannot see this,
  /// because these bytes do not count. Caches then drop stale views.
  package var isOverSoftLimit: Bool { overcommit > softLimit.load(ordering: .relaxed) }

  private func fits(_ bytes: Int) -> Bool { counted.load(ordering: .relaxed) <= limit - bytes }

  @usableFromInline
  func add(_ bytes: Int) { add(bytes, counting: bytes) }

  private func add(_ bytes: Int, counting: Int) {
    if counting > 0 { additions.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    total.wrappingAdd(bytes, ordering: .relaxed)
    let (old, new) = counted.wrappingAdd(counting, ordering: .relaxed)
    parent?.add(bytes, counting: min(new, limit) - min(old, limit))
  }

  /// - Parameter evict: drops objects while `isOverLimit` or `isOverSoftLimit`, and returns whether it dropped any. The
  ///   cache that was added last evicts first.
  package func addCache(_ evict: @escaping @Sendable () -> Bool) {
    caches.withLock { $0.insert(evict, at: 0) }
  }

  /// Drops objects from caches while the budget `isOverLimit` or `isOverSoftLimit`.
  ///
  /// - Returns: whether any was dropped.
  @discardableResult
  package func evict() -> Bool {
    if let parent { return parent.evict() }
    let wasOverSoftLimit = isOverSoftLimit
    var isAnyDropped = false
    if wasOverSoftLimit || isOverLimit {
      for evict in caches.withLock({ $0 }) where (isOverLimit || isOverSoftLimit) && evict() {
        isAnyDropped = true
      }
    }
    let size = overcommit + limit / 8
    if wasOverSoftLimit || size < softLimit.load(ordering: .relaxed) {
      softLimit.store(size, ordering: .relaxed)
    }
    return isAnyDropped
  }

  /// Reserves memory for an object that is to be built.
  ///
  /// - Precondition: The budget is no part of another.
  /// - Returns: nil if the memory does not fit, even after eviction.
  package func reserve(_ bytes: Int) -> MemoryReservation? {
    let reservation = MemoryReservation(0, of: self)
    return reservation.grow(to: bytes) ? reservation : nil
  }

  /// The counters that change when another thread adds or drops an object.
  private var state: (additions: Int, counted: Int) {
    (
      additions.load(ordering: .sequentiallyConsistent),
      counted.load(ordering: .sequentiallyConsistent)
    )
  }

  /// Adds bytes if they fit, if necessary after eviction.
  ///
  /// Another thread can take the bytes that an eviction frees. So this function evicts and tries again, at most `maxPasses`
  /// times. It gives up after two successive passes that evict nothing and see no change. `counted` alone does not show a
  /// change, because an addition and a removal can cancel each other. So `additions` is compared too.
  fileprivate func addIfFits(_ bytes: Int) -> Bool {
    precondition(parent == nil, "A part of a budget is never rejected.")
    if addIfFree(bytes) { return true }
    return evicting.withLock { _ in
      pending.store(bytes, ordering: .relaxed)
      defer { pending.store(0, ordering: .relaxed) }
      var (passes, quietPasses) = (0, 0)
      while quietPasses < 2, passes < Self.maxPasses {
        passes += 1
        let before = state
        if addIfFree(bytes) { return true }
        quietPasses = !evict() && state == before ? quietPasses + 1 : 0
      }
      return false
    }
  }

  private func addIfFree(_ bytes: Int) -> Bool {
    var old = counted.load(ordering: .relaxed)
    while old <= limit - bytes {
      let (isDone, current) = counted.weakCompareExchange(
        expected: old, desired: old + bytes, ordering: .relaxed)
      if isDone {
        additions.wrappingAdd(1, ordering: .sequentiallyConsistent)
        total.wrappingAdd(bytes, ordering: .relaxed)
        return true
      }
      old = current
    }
    return false
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

  /// Reserves more before an object grows. Not for use by several threads at once.
  ///
  /// - Returns: false if it does not fit, even after eviction. The reservation is then as before.
  package func grow(to bytes: Int) -> Bool {
    let more = bytes - self.bytes
    guard more > 0 else {
      resize(to: bytes)
      return true
    }
    guard bytes <= budget.limit, budget.addIfFits(more) else { return false }
    size.wrappingAdd(more, ordering: .relaxed)
    return true
  }

  /// Counts the true size once the object is built, or has changed.
  package func resize(to bytes: Int) {
    budget.add(bytes - size.exchange(bytes, ordering: .relaxed))
  }
}
