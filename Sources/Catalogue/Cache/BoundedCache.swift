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
    /// When `removeIdle` first found it unused, since `clockStart`. Nil if it was used since the last call.
    ///
    /// It is no `ContinuousClock.Instant`: the compiler does not know the size of that type. So each copy of an
    /// entry would call functions of its metadata.
    @usableFromInline var idleSince: Duration?

    @usableFromInline
    init(key: Key, value: Value, cost: Int) {
      self.key = key
      self.value = value
      self.cost = cost
    }
  }

  /// The neighbours of an entry in the order of use, -1 at the ends.
  @usableFromInline
  struct Link: Sendable {
    @usableFromInline var newer: Int
    @usableFromInline var older: Int

    @usableFromInline
    init(newer: Int, older: Int) {
      self.newer = newer
      self.older = older
    }
  }

  /// Entries at fixed places; nil where one was removed.
  @usableFromInline var entries: [Entry?] = []
  @usableFromInline var links: [Link] = []
  @usableFromInline var places: [Key: Int] = [:]
  @usableFromInline var free: [Int] = []
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
  public var count: Int { places.count }

  /// All entries, without using them. O(*n*).
  public var all: [Key: Value] {
    var all: [Key: Value] = [:]
    for case let entry? in entries { all[entry.key] = entry.value }
    return all
  }

  /// The value for `key`, if it is there. It counts as used.
  @inlinable
  @inline(__always)
  public mutating func find(_ key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    use(place)
    return entries[place]?.value
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
    places[key].flatMap { entries[$0]?.value }
  }

  /// Inserts a value, or replaces the one for `key`. It counts as used.
  @inlinable
  public mutating func insert(_ value: Value, for key: Key, cost: Int) {
    if let place = places[key] {
      use(place)
      entries[place]?.value = value
      updateCost(of: key, to: cost)
      return
    }
    let entry = Entry(key: key, value: value, cost: counted(cost))
    let place = free.popLast() ?? entries.count
    if place < entries.count {
      entries[place] = entry
    } else {
      entries.append(entry)
      links.append(Link(newer: -1, older: -1))
    }
    places[key] = place
    linkAsNewest(place)
    total += entry.cost
    evict()
  }

  /// Counts another cost for `key`, if it is there. It does not count as used.
  @inlinable
  public mutating func updateCost(of key: Key, to cost: Int) {
    guard let place = places[key], let before = entries[place]?.cost else { return }
    let cost = counted(cost)
    entries[place]?.cost = cost
    total += cost - before
    evict()
  }

  /// Removes the entry for `key`, if it is there and meets the condition.
  @inlinable
  @discardableResult
  public mutating func remove(
    _ key: Key, where condition: (Value) -> Bool = { _ in true }
  ) -> Value? {
    guard let place = places[key], let value = entries[place]?.value, condition(value) else {
      return nil
    }
    remove(at: place)
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
    var place = newest
    while place >= 0, let entry = entries[place], entry.idleSince == nil {
      entries[place]?.idleSince = now
      place = links[place].older
    }
    place = oldest
    while place >= 0, let entry = entries[place], let since = entry.idleSince, since < deadline {
      let next = links[place].newer
      if !isKept(entry.value) { remove(at: place) }
      place = next
    }
  }

  @inlinable
  func counted(_ cost: Int) -> Int { min(max(0, cost), limit / 4 * 3) }

  @inlinable
  mutating func evict() {
    while total > limit, oldest != newest { remove(at: oldest) }
  }

  @inlinable
  mutating func remove(at place: Int) {
    guard let entry = entries[place] else { return }
    unlink(place)
    entries[place] = nil
    free.append(place)
    places[entry.key] = nil
    total -= entry.cost
  }

  @inlinable
  @inline(__always)
  mutating func use(_ place: Int) {
    entries[place]?.idleSince = nil
    guard place != newest else { return }
    unlink(place)
    linkAsNewest(place)
  }

  @inlinable
  mutating func unlink(_ place: Int) {
    let link = links[place]
    if link.newer >= 0 { links[link.newer].older = link.older } else { newest = link.older }
    if link.older >= 0 { links[link.older].newer = link.newer } else { oldest = link.newer }
  }

  @inlinable
  mutating func linkAsNewest(_ place: Int) {
    links[place] = Link(newer: -1, older: newest)
    if newest >= 0 { links[newest].newer = place } else { oldest = place }
    newest = place
  }
}

/// The origin of times in entries.
@usableFromInline let clockStart = ContinuousClock.now

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
