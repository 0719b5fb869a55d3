/// A cache that keeps a memory budget by eviction of the least recently used entries (LRU).
///
///     var windows = BoundedCache<Query, [UInt8]>(limit: 32 << 20)
///     windows.insert(bytes, for: query, cost: bytes.count)
///
/// The cache is a value. Its owner protects the cache and related state with one `Mutex`.
///
/// A value can hold a `MemoryReservation` of the same budget. Then its cost here is 0, and its owner calls `evict()` after an
/// insertion and after the value has grown. An entry counts as at most three quarters of the limit, so that a large one
/// does not evict all others. `evict()` keeps the newest entry, because the caller uses it. `evict(from:where:)` can
/// remove it.
///
/// The type is public because the compiler does not specialize `package` functions in other modules.
///
/// - Complexity: O(1) for each function unless stated otherwise, and O(1) for each evicted entry.
public struct BoundedCache<Key: Hashable, Value> {
  /// The neighbours of an entry in the order of use, -1 at the ends, and the start of its idle time.
  ///
  /// `idleSince` is nil after a use, and the next `removeIdle` sets it to its own time. Times are durations since
  /// `clockStart`: the compiler does not know the size of an instant, and copies one slowly.
  @usableFromInline typealias Link = (newer: Int, older: Int, idleSince: Duration?)

  /// The entries in no order, and the link of each. A use changes links alone, so it neither copies nor checks a value.
  @usableFromInline var entries: [(key: Key, value: Value, cost: Int)] = []
  @usableFromInline var links: [Link] = []
  @usableFromInline var indices: [Key: Int] = [:]
  @usableFromInline var newest = -1
  @usableFromInline var oldest = -1

  public let budget: MemoryBudget

  @inlinable
  public init(_ budget: MemoryBudget) { self.budget = budget }

  /// - Parameter limit: the largest sum of costs, in the caller's unit: bytes, or entries.
  @inlinable
  public init(limit: Int) { self.init(MemoryBudget(limit: limit)) }

  public var count: Int { entries.count }

  /// All entries, without using them. O(*n*).
  public var all: [Key: Value] { indices.mapValues { entries[$0].value } }

  /// The value for `key`, or nil. Counts as a use.
  @inlinable
  @inline(__always)
  public mutating func find(_ key: Key) -> Value? {
    guard let index = indices[key] else { return nil }
    use(index)
    return entries[index].value
  }

  /// The value for `key`, or nil. Does not count as a use.
  @inlinable
  public func peek(_ key: Key) -> Value? { indices[key].map { entries[$0].value } }

  /// Inserts or replaces the value for `key`. Counts as a use. Evicts others if the value has a cost.
  @inlinable
  public mutating func insert(_ value: Value, for key: Key, cost: Int = 0) {
    let cost = min(max(0, cost), budget.largestPart)
    budget.add(cost)
    if let index = indices[key] {
      budget.add(-entries[index].cost)
      entries[index] = (key, value, cost)
      use(index)
    } else {
      indices[key] = entries.count
      entries.append((key, value, cost))
      links.append((-1, -1, nil))
      linkAsNewest(entries.count - 1)
    }
    if cost > 0 { evict() }
  }

  /// Removes entries except the newest while the budget is exceeded.
  ///
  /// - Returns: whether any was removed.
  @inlinable
  @discardableResult
  public mutating func evict() -> Bool {
    let before = count
    while evictOne() != nil {}
    return count < before
  }

  /// Removes the least recently used entry, but not the newest, if the budget is exceeded. The caller drops the value.
  @inlinable
  public mutating func evictOne() -> Value? {
    guard budget.isOverLimit, oldest != newest else { return nil }
    return remove(entries[oldest].key)
  }

  /// Removes entries whose values meet the condition, the least recently used first, while the budget is exceeded.
  /// Removes all of them if there is no budget.
  ///
  /// - Returns: whether any was removed.
  /// - Complexity: O(*n*).
  @inlinable
  @discardableResult
  public mutating func evict(from budget: MemoryBudget?, where condition: (Value) -> Bool) -> Bool {
    let before = count
    var index = oldest
    var found: [Key] = []
    while index >= 0 {
      if condition(entries[index].value) { found.append(entries[index].key) }
      index = links[index].newer
    }
    for key in found where budget?.isOverLimit ?? true { remove(key) }
    return count < before
  }

  /// Removes the entry for `key`, if any, if its value meets the condition.
  @inlinable
  @discardableResult
  public mutating func remove(
    _ key: Key, where condition: (Value) -> Bool = { _ in true }
  ) -> Value? {
    guard let index = indices[key] else { return nil }
    let value = entries[index].value
    guard condition(value) else { return nil }
    remove(at: index)
    return value
  }

  /// Removes the entries without a use since `deadline`, except the entries to keep.
  ///
  /// Call this function regularly. The cache knows only between which two calls a use happened.
  ///
  /// - Complexity: O(*k*) in the number of entries that are idle or were used since the last call.
  @inlinable
  public mutating func removeIdle(
    before deadline: ContinuousClock.Instant, at now: ContinuousClock.Instant = .now,
    unless isKept: (Value) -> Bool
  ) {
    let (deadline, now) = (clockStart.duration(to: deadline), clockStart.duration(to: now))
    var index = newest
    while index >= 0, links[index].idleSince == nil {
      links[index].idleSince = now
      index = links[index].older
    }
    var idle: [Key] = []
    index = oldest
    while index >= 0, let since = links[index].idleSince, since < deadline {
      idle.append(entries[index].key)
      index = links[index].newer
    }
    for key in idle { remove(key) { !isKept($0) } }
  }

  /// Removes an entry. The last one moves to its index.
  @inlinable
  mutating func remove(at index: Int) {
    unlink(index)
    indices[entries[index].key] = nil
    budget.add(-entries[index].cost)
    let (entry, link) = (entries.removeLast(), links.removeLast())
    guard index < entries.count else { return }
    entries[index] = entry
    links[index] = link
    indices[entry.key] = index
    relink(index, link)
  }

  @inlinable
  @inline(__always)
  mutating func use(_ index: Int) {
    guard index != newest else { return links[index].idleSince = nil }
    unlink(index)
    linkAsNewest(index)
  }

  @inlinable
  mutating func unlink(_ index: Int) {
    let link = links[index]
    if link.newer >= 0 { links[link.newer].older = link.older } else { newest = link.older }
    if link.older >= 0 { links[link.older].newer = link.newer } else { oldest = link.newer }
  }

  @inlinable
  mutating func linkAsNewest(_ index: Int) {
    links[index] = (-1, newest, nil)
    relink(index, links[index])
  }

  /// Points the neighbours in `link` to `index`.
  @inlinable
  mutating func relink(_ index: Int, _ link: Link) {
    if link.newer >= 0 { links[link.newer].older = index } else { newest = index }
    if link.older >= 0 { links[link.older].newer = index } else { oldest = index }
  }
}

/// The origin of times in links.
@usableFromInline let clockStart = ContinuousClock.now

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
