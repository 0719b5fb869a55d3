/// A cache in bounded memory that evicts the entries which were used least recently (LRU).
///
///     var strips = BoundedCache<String, CachedStrip>(limit: 512 << 20)
///     let strip = strips.find("albums") { (CachedStrip("albums"), cost: 500) }
///     strips.updateCost(of: "albums", to: 80_000)
///
/// It is a value. Its owner puts it into a `Mutex`, together with what changes with it.
///
/// An entry counts at most three quarters of the limit. So a single heavy entry leaves room for others,
/// and a search that finds it evicts nothing. Memory is bounded by the limit, or by a quarter of it and
/// one heavier entry.
///
/// - Complexity: O(1) for each function that does not say otherwise, and O(1) for each evicted entry.
///   It is public, because the compiler specializes no `package` function in another module.
public struct BoundedCache<Key: Hashable, Value> {
  @usableFromInline
  struct Entry {
    @usableFromInline let key: Key
    @usableFromInline var value: Value
    @usableFromInline var cost: Int

    @usableFromInline
    init(key: Key, value: Value, cost: Int) {
      self.key = key
      self.value = value
      self.cost = cost
    }
  }

  /// The neighbours of an entry in the order of use, -1 at the ends.
  ///
  /// Links are apart from entries, so that a use neither copies nor checks a value.
  @usableFromInline
  struct Link: Sendable {
    @usableFromInline var newer: Int
    @usableFromInline var older: Int
    /// When `removeIdle` first found the entry unused, since `clockStart`. Nil if it was used since the last
    /// call.
    ///
    /// It is no `ContinuousClock.Instant`: the compiler does not know the size of that type. So each copy of a
    /// link would call functions of its metadata.
    @usableFromInline var idleSince: Duration?

    @usableFromInline
    init(newer: Int, older: Int) {
      self.newer = newer
      self.older = older
    }
  }

  /// The entries in no order, and the link of each.
  @usableFromInline var entries: [Entry] = []
  @usableFromInline var links: [Link] = []
  @usableFromInline var indices: [Key: Int] = [:]
  @usableFromInline var newest = -1
  @usableFromInline var oldest = -1

  /// The sum of all costs, as they count against the limit.
  public var totalCost: Int { total }
  @usableFromInline var total = 0
  public let limit: Int

  /// - Parameter limit: the largest sum of costs, in the caller's unit: bytes, or entries.
  @inlinable
  public init(limit: Int) { self.limit = limit }

  /// How many entries there are.
  public var count: Int { entries.count }

  /// All entries, without using them. O(*n*).
  public var all: [Key: Value] { indices.mapValues { entries[$0].value } }

  /// The value for `key`, if it is there. It counts as used.
  @inlinable
  @inline(__always)
  public mutating func find(_ key: Key) -> Value? {
    guard let index = indices[key] else { return nil }
    use(index)
    return entries[index].value
  }

  /// The value for `key`, which counts as used. A new entry gets the value and the cost that `make`
  /// returns.
  @inlinable
  public mutating func find(_ key: Key, or make: () -> (value: Value, cost: Int)) -> Value {
    if let found = find(key) { return found }
    let (value, cost) = make()
    insert(value, for: key, cost: cost)
    return value
  }

  /// The value for `key`, if it is there. It does not count as used.
  @inlinable
  public func peek(_ key: Key) -> Value? {
    indices[key].map { entries[$0].value }
  }

  /// Inserts a value, or replaces the one for `key`. It counts as used.
  @inlinable
  public mutating func insert(_ value: Value, for key: Key, cost: Int) {
    if let index = indices[key] {
      use(index)
      entries[index].value = value
      updateCost(of: key, to: cost)
      return
    }
    let entry = Entry(key: key, value: value, cost: counted(cost))
    indices[key] = entries.count
    entries.append(entry)
    links.append(Link(newer: -1, older: -1))
    linkAsNewest(entries.count - 1)
    total += entry.cost
    evict()
  }

  /// Counts another cost for `key`, if it is there. It does not count as used.
  @inlinable
  public mutating func updateCost(of key: Key, to cost: Int) {
    guard let index = indices[key] else { return }
    let cost = counted(cost)
    total += cost - entries[index].cost
    entries[index].cost = cost
    evict()
  }

  /// Removes the entry for `key`, if it is there and meets the condition.
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

  @inlinable
  public mutating func removeAll() { self = BoundedCache(limit: limit) }

  /// Removes the entries that were not used since `deadline`, except those to keep.
  ///
  /// The time of a use is only known to lie between two calls of this function. So call it regularly.
  ///
  /// - Complexity: O(*k*) in the number of entries that were used since the last call, or are idle.
  @inlinable
  public mutating func removeIdle(
    before deadline: ContinuousClock.Instant, at now: ContinuousClock.Instant = .now,
    unless isKept: (Value) -> Bool = { _ in false }
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

  @inlinable
  func counted(_ cost: Int) -> Int { min(max(0, cost), limit / 4 * 3) }

  @inlinable
  mutating func evict() {
    while total > limit, oldest != newest { remove(at: oldest) }
  }

  /// Removes an entry. The last one moves to its index.
  @inlinable
  mutating func remove(at index: Int) {
    unlink(index)
    indices[entries[index].key] = nil
    total -= entries[index].cost
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
    links[index] = Link(newer: -1, older: newest)
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
extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
