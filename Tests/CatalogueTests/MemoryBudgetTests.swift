import Catalogue
import Synchronization
import Testing

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
      held.withLock { $0 = [] }
    }
    budget.addCache { order.withLock { $0.append(2) } }
    held.withLock { $0 = [MemoryReservation(60, of: budget)] }
    let first = try #require(budget.reserve(40))
    #expect(order.withLock { $0 }.isEmpty)
    let second = try #require(budget.reserve(60))
    #expect(order.withLock { $0 } == [2, 1])
    #expect(budget.reserve(1) == nil)
    #expect(budget.used == 100)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a part counts as at most three quarters of the whole`() {
    let budget = MemoryBudget(limit: 100)
    let part = MemoryBudget(within: budget)
    let one = MemoryReservation(70, of: part)
    #expect(budget.used == 70)
    var two: MemoryReservation? = MemoryReservation(1000, of: part)
    #expect(part.used == 1070 && budget.used == 75)
    one.resize(to: 60)
    #expect(budget.used == 75)
    withExtendedLifetime(two) {}
    two = nil
    #expect(part.used == 60 && budget.used == 60)
    withExtendedLifetime(one) {}
  }
}
