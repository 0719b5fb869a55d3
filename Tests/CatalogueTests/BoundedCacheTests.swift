import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views

struct BoundedCacheTests {
  private typealias Cache = BoundedCache<Int, Int>

  /// A previous cache evicted all other strips if one strip took more than half of the memory.
  @Test(arguments: [51, 60, 99, 100, 1000])
  func `an entry heavier than half of the limit does not evict the others each time it is found`(
    cost: Int
  ) {
    var cache = Cache(limit: 100)
    for number in 0..<20 { cache.insert(number, for: number, cost: 1) }
    cache.insert(-1, for: -1, cost: cost)
    for _ in 0..<3 {
      for number in 0..<20 { #expect(cache.find(number) == number) }
      #expect(cache.find(-1) == -1)
    }
    #expect(cache.count == 21)
  }

  @Test func `a value that grows evicts others and counts until the last reference is dropped`() {
    let budget = MemoryBudget(limit: 10)
    var cache = BoundedCache<Int, MemoryReservation>(budget)
    for number in 0..<10 { cache.insert(MemoryReservation(1, of: budget), for: number) }
    let (first, last) = (cache.peek(0), cache.peek(9))
    last?.resize(to: 5)
    cache.evict()
    // The first is evicted and still counts.
    #expect(cache.all.keys.sorted() == Array(5..<10))
    #expect(budget.used == 10)
    withExtendedLifetime(first) {}
  }

  @Test func `of the values that meet a condition as many are evicted as another budget needs`() {
    let strips = MemoryBudget(limit: 5)
    var cache = BoundedCache<Int, MemoryReservation>(limit: 100)
    for number in 0..<10 { cache.insert(MemoryReservation(1, of: strips), for: number, cost: 1) }
    let first = cache.peek(0)
    cache.evict(from: strips) { $0 !== first }
    #expect(cache.all.keys.sorted() == [0] + Array(6..<10))
    cache.evict(from: strips) { _ in true }
    #expect(cache.count == 5)
  }

  @Test func `an entry is removed, on a condition if there is one`() {
    var cache = Cache(limit: 10)
    cache.insert(1, for: 1, cost: 2)
    #expect(cache.remove(1) { $0 == 2 } == nil)
    #expect(cache.remove(1) { $0 == 1 } == 1)
    #expect(cache.remove(1) == nil)
    #expect(cache.count == 0 && cache.budget.used == 0)
  }

  @Test func `idle entries are removed, unless they are kept`() {
    var cache = Cache(limit: 100)
    let start = ContinuousClock.now
    func pass(_ seconds: Int) {
      let now = start + .seconds(seconds)
      cache.removeIdle(before: now - .seconds(60), at: now) { $0 == 2 }
    }
    for number in 0..<3 { cache.insert(number, for: number, cost: 1) }
    pass(0)
    pass(30)
    #expect(cache.count == 3)
    _ = cache.find(1)
    pass(61)
    #expect(cache.all.keys.sorted() == [1, 2])
    pass(120)
    #expect(cache.all.keys.sorted() == [1, 2])
    pass(122)
    #expect(cache.all.keys.sorted() == [2])
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `it does what a naive cache does`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var cache = Cache(limit: 40)
    // From the least to the most recently used.
    var naive: [(key: Int, value: Int, cost: Int)] = []
    func place(_ key: Int) -> Int? { naive.firstIndex { $0.key == key } }
    func evict() {
      while naive.map(\.cost).reduce(0, +) > 40, naive.count > 1 { naive.removeFirst() }
    }
    for step in 0..<3000 {
      let key = Int.random(in: 0..<20, using: &random)
      let cost = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        if let place = place(key) { naive.remove(at: place) }
        naive.append((key, step, min(cost, 30)))
        cache.insert(step, for: key, cost: cost)
      case 2:
        #expect(cache.find(key) == place(key).map { naive[$0].value })
        if let place = place(key) { naive.append(naive.remove(at: place)) }
      case 3:
        #expect(cache.peek(key) == place(key).map { naive[$0].value })
      default:
        if let place = place(key) { naive.remove(at: place) }
        cache.remove(key)
      }
      evict()
      #expect(cache.count == naive.count, "seed \(seed), step \(step)")
      #expect(cache.budget.used == naive.map(\.cost).reduce(0, +), "seed \(seed), step \(step)")
    }
    #expect(cache.all == Dictionary(uniqueKeysWithValues: naive.map { ($0.key, $0.value) }))
  }
}
