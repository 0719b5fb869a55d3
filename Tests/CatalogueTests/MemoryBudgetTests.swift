import Dispatch
import Foundation
import Items
import Synchronization
import Testing
import Views

@Suite struct MemoryBudgetTests {
  @Test func `a reservation counts until its last reference is dropped`() {
    let budget = MemoryBudget(limit: 100)
    var memory: MemoryReservation? = MemoryReservation(30, of: budget)
    var other = memory
    #expect(budget.used == 30)
    memory?.resize(to: 50)
    memory = nil
    #expect(budget.used == 50)
    withExtendedLifetime(other) {}
    other = nil
    #expect(budget.used == 0)
  }

  @Test func `what does not fit is not reserved and caches evict before that`() throws {
    let budget = MemoryBudget(limit: 100)
    let held = Mutex<[MemoryReservation]>([])
    let order = Mutex<[Int]>([])
    budget.addCache {
      order.withLock { $0.append(1) }
      return held.withLock { held in
        defer { held = [] }
        return !held.isEmpty
      }
    }
    budget.addCache {
      order.withLock { $0.append(2) }
      return false
    }
    held.withLock { $0 = [MemoryReservation(60, of: budget)] }
    let first = try #require(budget.reserve(40))
    #expect(order.withLock { $0 }.isEmpty)
    let second = try #require(budget.reserve(60))
    #expect(order.withLock { $0 } == [2, 1])
    #expect(budget.reserve(1) == nil)
    #expect(budget.used == 100)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `what another thread adds during an eviction is evicted too`() throws {
    let budget = MemoryBudget(limit: 100)
    let held = Mutex<[MemoryReservation]>([MemoryReservation(90, of: budget)])
    let additions = Mutex(3)
    budget.addCache {
      held.withLock { $0 = [] }
      // Here a view follows an edit. It is counted without a question, and cached.
      return additions.withLock { additions in
        guard additions > 0 else { return true }
        additions -= 1
        held.withLock { $0 = [MemoryReservation(90, of: budget)] }
        return true
      }
    }
    let reservation = try #require(budget.reserve(50))
    #expect(budget.used == 50)
    withExtendedLifetime(reservation) {}
  }

  @Test(arguments: 1...4) func `threads whose reservations fit are never refused`(seed: Int) {
    let budget = MemoryBudget(limit: 100)
    let cache = Mutex<[MemoryReservation]>([])
    budget.addCache {
      // Other threads add before the caller looks again.
      defer { sched_yield() }
      return cache.withLock { cache in
        let before = cache.count
        while budget.isOverLimit, !cache.isEmpty { cache.removeFirst() }
        return cache.count < before
      }
    }
    let refused = Atomic(0)
    // Three threads have at most 99 in hand. All else is in the cache.
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      for step in 0..<2000 {
        if thread == 0, step % seed == 0 {
          let added = MemoryReservation(33, of: budget)
          cache.withLock { $0.append(added) }
          budget.evict()
        } else if let made = budget.reserve(3 + (step + seed) % 31) {
          cache.withLock { $0.append(made) }
        } else {
          refused.wrappingAdd(1, ordering: .relaxed)
        }
      }
    }
    #expect(refused.load(ordering: .relaxed) == 0)
    #expect(budget.used <= 100)
  }

  @Test func `a reservation that is refused leaves the objects that others reserved`() {
    let budget = MemoryBudget(limit: 100)
    let first = MemoryReservation(10, of: budget)
    #expect(!first.grow(to: 101))
    #expect(first.bytes == 10 && budget.used == 10)
    let other = MemoryReservation(60, of: budget)
    #expect(!first.grow(to: 41))
    #expect(first.bytes == 10 && budget.used == 70 && !budget.isOverLimit)
    #expect(first.grow(to: 40) && first.grow(to: 5))
    #expect(budget.used == 65)
    withExtendedLifetime(other) {}
  }

  @Test func `a part counts as at most three quarters against the limit, and is shown whole`() {
    let budget = MemoryBudget(limit: 100)
    let part = MemoryBudget(within: budget)
    let one = MemoryReservation(70, of: part)
    #expect(budget.used == 70)
    var two: MemoryReservation? = MemoryReservation(1000, of: part)
    #expect(part.used == 1070 && budget.used == 1070 && !budget.isOverLimit)
    let other = MemoryReservation(25, of: budget)
    #expect(!budget.isOverLimit)
    other.resize(to: 26)
    #expect(budget.isOverLimit)
    one.resize(to: 60)
    #expect(budget.used == 1086 && budget.isOverLimit)
    withExtendedLifetime(two) {}
    two = nil
    #expect(part.used == 60 && budget.used == 86 && !budget.isOverLimit)
    withExtendedLifetime((one, other)) {}
  }

  @Test func `what a large part has replaced is dropped each time it grows by an eighth`() {
    let budget = MemoryBudget(limit: 800)
    let part = MemoryBudget(within: budget)
    let replaced = Mutex<[MemoryReservation]>([])
    budget.addCache { [unowned budget] in
      guard budget.isOverSoftLimit else { return false }
      replaced.withLock { $0 = [] }
      return true
    }
    var newest = MemoryReservation(900, of: part)
    var most = 0
    for _ in 0..<50 {
      replaced.withLock { $0.append(newest) }
      newest = MemoryReservation(30, of: part)
      budget.evict()
      most = max(most, budget.used)
    }
    #expect(!budget.isOverLimit)
    #expect(most <= 900 + 100 + 2 * 30)
    // The part is no longer large: what it took before is no allowance for the next growth.
    replaced.withLock { $0 = [] }
    budget.evict()
    let other = MemoryReservation(600 + 101, of: part)
    #expect(budget.isOverSoftLimit)
    withExtendedLifetime((newest, other)) {}
  }
}
