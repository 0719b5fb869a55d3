import Dispatch
import Items
import Synchronization
import Testing
import Views
import Windowing

struct SharedLayoutCacheTests {
  private static func strip(_ count: Int) -> Strip {
    let items = (0..<count).map {
      StripItem(size: ItemSize(aspect: .zero, width: .px(40 + $0 % 7)), kind: Kind(number: 0))
    }
    return Strip(kinds: ["card"], items: items)
  }

  private static let line = SharedLayoutCache.Query(
    .strip(height: .px(180), wraps: false), StripSettings(title: "s"))

  /// The pools that the law gives.
  private static func pools(of strip: Strip, poolLength: Length) -> Pools {
    StripLayout(strip, height: .px(180), gap: .px(8)).pools(poolLength: poolLength)
  }

  /// The pools that another thread finds during a search. Fails if that thread waits for the search.
  private func found(
    in cache: SharedLayoutCache, withSearchLock strip: Strip, poolLength: Length
  ) -> Pools? {
    let found = Mutex<Pools?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    cache.withSearchLock {
      DispatchQueue.global().async {
        let cached = try? cache.cachedLayout(Self.line, of: strip, poolLength: poolLength)
        found.withLock { $0 = cached?.1 }
        isDone.signal()
      }
      #expect(isDone.wait(timeout: .now() + .seconds(20)) == .success)
    }
    return found.withLock { $0 }
  }

  @Test func `cached pools do not wait for a search that is under way`() throws {
    let (short, long) = (Self.strip(1000), Self.strip(60_000))
    let cache = SharedLayoutCache()
    #expect(
      found(in: cache, withSearchLock: short, poolLength: .px(300))
        == Self.pools(of: short, poolLength: .px(300)))
    #expect(found(in: cache, withSearchLock: long, poolLength: .px(500)) == nil)
    let (_, searched) = try cache.layout(Self.line, of: long, poolLength: .px(500))
    #expect(searched == Self.pools(of: long, poolLength: .px(500)))
    #expect(found(in: cache, withSearchLock: long, poolLength: .px(500)) == searched)
  }

  @Test func `a long layout has its memory before it is made`() throws {
    let budget = MemoryBudget(limit: 1_000_000)
    let strip = Self.strip(60_000)
    let other = Mutex<MemoryReservation?>(MemoryReservation(900_000, of: budget))
    let layouts = SharedLayoutCache(memory: budget)
    budget.addCache {
      // The list is not made yet.
      #expect(900_000 + 8 * 60_000...1_400_000 ~= budget.used)
      return other.withLock { other in
        defer { other = nil }
        return other != nil
      }
    }
    let rule = LayoutRule.list(width: .px(400), itemHeight: .zero, caption: .zero)
    let query = SharedLayoutCache.Query(rule, StripSettings(title: "s"))
    _ = try layouts.layout(query, of: strip, poolLength: nil)
    #expect(other.withLock { $0 } == nil)
    #expect(400_000...700_000 ~= budget.used)
  }
}
