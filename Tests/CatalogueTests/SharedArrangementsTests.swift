import Catalogue
import Dispatch
import Synchronization
import Testing
import Windowing

struct SharedArrangementsTests {
  private static func layout(_ count: Int) -> Layout {
    let items = (0..<count).map {
      StripItem(size: ItemSize(aspect: .zero, width: .px(40 + $0 % 7)), kind: Kind(number: 0))
    }
    return Layout(
      Strip(kinds: ["card"], items: items), height: .px(180), gap: .zero, inset: .zero,
      wraps: false)
  }

  /// The pools that another thread finds during a search. Fails if that thread waits for the search.
  private func found(
    by pools: SharedArrangements, withSearchLock layout: Layout, stretch: Length
  ) -> Pools? {
    let found = Mutex<Pools?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    pools.withSearchLock {
      DispatchQueue.global().async {
        let cached = pools.cachedPools(of: layout, stretch: stretch)
        found.withLock { $0 = cached }
        isDone.signal()
      }
      #expect(isDone.wait(timeout: .now() + .seconds(20)) == .success)
    }
    return found.withLock { $0 }
  }

  @Test func `cached pools do not wait for a search that is under way`() {
    let (short, long) = (Self.layout(1000), Self.layout(60_000))
    let pools = SharedArrangements()
    #expect(
      found(by: pools, withSearchLock: short, stretch: .px(300))
        == short.pools(stretch: .px(300)))
    #expect(found(by: pools, withSearchLock: long, stretch: .px(500)) == nil)
    let searched = pools.pools(of: long, stretch: .px(500))
    #expect(searched == long.pools(stretch: .px(500)))
    #expect(found(by: pools, withSearchLock: long, stretch: .px(500)) == searched)
  }

  @Test func `a long arrangement has its memory before it is made`() throws {
    let budget = MemoryBudget(limit: 1_000_000)
    let strip = Self.layout(60_000).strip
    let other = Mutex<MemoryReservation?>(MemoryReservation(900_000, of: budget))
    let arrangements = SharedArrangements(memory: budget)
    budget.addCache {
      // The list is not made yet.
      #expect(900_000 + 8 * 60_000...1_400_000 ~= budget.used)
      return other.withLock { other in
        defer { other = nil }
        return other != nil
      }
    }
    let rule = ArrangementRule.list(width: .px(400), itemHeight: .zero, caption: .zero)
    let query = SharedArrangements.Query(rule, StripSettings(title: "s"))
    _ = try arrangements.arrangement(query, of: strip, stretch: nil)
    #expect(other.withLock { $0 } == nil)
    #expect(400_000...700_000 ~= budget.used)
  }
}
