import Catalogue
import CatalogueTesting
import RandomTesting
import Testing
import Views

struct ReorderPlanTests {
  private func former(_ sortKeys: [Int64]) -> SortKeys {
    var former = SortKeys()
    SortKeys.Chunk(sortKeys).map { former.append($0) }
    return former
  }

  @Test func `items in the same order keep their sort keys`() {
    let plan = ReorderPlan(of: former([10, 20, 30]), to: [0, 2])
    #expect(plan.sortKeys == [10, 30] && plan.moved == [])
  }

  @Test func `one moved item gets a new sort key`() {
    let plan = ReorderPlan(of: former([10, 20, 30, 40]), to: [3, 0, 1, 2])
    #expect(plan.moved == [0] && plan.sortKeys[0] < 10 && plan.sortKeys[1...] == [10, 20, 30])
  }

  @Test func `new items get sort keys between their neighbours`() {
    let plan = ReorderPlan(of: former([0, 1 << 20]), to: [0, -1, -1, 1])
    #expect(plan.moved == [1, 2] && plan.sortKeys == [0, 1 << 18, 1 << 19, 1 << 20])
  }

  @Test func `neighbours move apart if there is no room`() {
    let packed = (1...100).map { Int64($0) }
    let indices = (0..<50).map(Int32.init) + [-1, -1] + (50..<100).map(Int32.init)
    let plan = ReorderPlan(of: former(packed), to: indices)
    #expect(plan.moved.contains(50) && plan.moved.contains(51))
    #expect(plan.sortKeys == plan.sortKeys.sorted() && Set(plan.sortKeys).count == 102)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `sort keys ascend in the wanted order`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let gap = Int64.random(in: 1...40, using: &random)
    var sortKey: Int64 = 0
    let sortKeys = (0..<Int.random(in: 0...300, using: &random)).map { _ in
      sortKey += Int64.random(in: 1...gap, using: &random)
      return sortKey
    }
    var indices = sortKeys.indices.map(Int32.init).filter { _ in
      Int.random(in: 0..<5, using: &random) > 0
    }
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      let place = Int.random(in: 0...indices.count, using: &random)
      if Bool.random(using: &random) || indices.isEmpty {
        indices.insert(-1, at: place)
      } else {
        let moved = indices.remove(at: Int.random(in: indices.indices, using: &random))
        indices.insert(moved, at: min(place, indices.count))
      }
    }
    let plan = ReorderPlan(of: former(sortKeys), to: indices)
    #expect(zip(plan.sortKeys, plan.sortKeys.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
    let stay = Set(indices.indices).subtracting(plan.moved)
    #expect(stay.allSatisfy { plan.sortKeys[$0] == sortKeys[Int(indices[$0])] }, "seed \(seed)")
  }
}

struct LongestIncreasingSubsequenceTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `the subsequence increases and none is longer`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 0...30, using: &random)
    let elements = Array(0..<Int32(count)).shuffled(using: &random).map {
      Int.random(in: 0..<5, using: &random) == 0 ? -1 : $0
    }
    let places = LongestIncreasingSubsequence.indices(of: elements).map(Int.init)
    #expect(places == places.sorted())
    let rise = places.map { elements[$0] }
    #expect(rise.allSatisfy { $0 >= 0 } && zip(rise, rise.dropFirst()).allSatisfy { $0 < $1 })
    // The longest that ends at each element, found the plain way.
    var longest = [Int](repeating: 0, count: count)
    for place in elements.indices where elements[place] >= 0 {
      let before = (0..<place).filter { elements[$0] >= 0 && elements[$0] < elements[place] }
      longest[place] = 1 + (before.map { longest[$0] }.max() ?? 0)
    }
    #expect(places.count == longest.max() ?? 0, "seed \(seed): \(elements)")
  }
}
