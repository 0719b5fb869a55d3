import Catalogue
import RandomTesting
import Testing
import Views

/// Many insertions in one place. Each must rewrite few rows.
struct SortKeyAllocatorTests {
  /// The sort keys of a strip's items, and how many items moved.
  private struct Items {
    private(set) var sortKeys: [Int64]
    private(set) var moved = 0
    private(set) var mostMoved = 0

    init(count: Int) { sortKeys = (1...Int64(count)).map { $0 * SortKeyAllocator.step } }

    /// Inserts items before the one at `index`.
    mutating func insert(_ count: Int = 1, at index: Int) {
      let low = index > 0 ? sortKeys[index - 1] : nil
      let high = index < sortKeys.count ? sortKeys[index] : nil
      if let free = SortKeyAllocator.sortKeys(count, between: low, and: high) {
        sortKeys.insert(contentsOf: Array(free), at: index)
        return
      }
      var (first, last) = (index - 1, index)
      let gap = SortKeyAllocator.rebalance(
        for: count, between: low, and: high,
        before: { _ in
          first -= 1
          return first >= 0 ? sortKeys[first] : nil
        },
        after: { _ in
          last += 1
          return last < sortKeys.count ? sortKeys[last] : nil
        })
      let neighbours = index - gap.before.count..<index + gap.after.count
      #expect(Array(sortKeys[neighbours]) == gap.before + gap.after && gap.free.count == count)
      sortKeys.replaceSubrange(neighbours, with: gap.newBefore + gap.free + gap.newAfter)
      moved += neighbours.count
      mostMoved = max(mostMoved, neighbours.count)
    }

    mutating func remove(at index: Int) { sortKeys.remove(at: index) }

    var areInOrder: Bool { zip(sortKeys, sortKeys.dropFirst()).allSatisfy { $0 < $1 } }
  }

  enum Place: CaseIterable {
    case before, after, both, amongTheNew, wandering
  }

  private static let insertions = 4000

  @Test(arguments: Place.allCases)
  func `insertions in one place move few items each, and at most 2,048 at once`(_ place: Place) {
    let seed: UInt64 = 1
    var random = SeededRandom(seed: seed)
    var items = Items(count: 6000)
    // Of the item beside which others are inserted.
    var index = 3000
    for count in 0..<Self.insertions {
      let isAfter = place == .after || place != .before && Bool.random(using: &random)
      switch place {
      case .before, .after, .both: break
      case .amongTheNew: index = 3000 + Int.random(in: 0...count, using: &random)
      case .wandering:
        if count.isMultiple(of: 50) { index += Int.random(in: -300...300, using: &random) }
      }
      items.insert(at: isAfter ? index + 1 : index)
      if !isAfter { index += 1 }
    }
    #expect(items.areInOrder, "seed \(seed)")
    #expect(items.moved < 6 * Self.insertions, "seed \(seed): \(items.moved)")
    #expect(items.mostMoved <= 2048, "seed \(seed)")
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `mixed insertions, moves and removals near one item move few others`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var items = Items(count: 6000)
    var index = 3000
    var changes = 0
    for _ in 0..<Self.insertions {
      changes += 1
      let isBefore = Bool.random(using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let count = Int.random(in: 2...50, using: &random)
        changes += count
        items.insert(count, at: isBefore ? index : index + 1)
        if isBefore { index += count }
      case 1...3:
        // Another item moves beside this one.
        let from = Int.random(in: items.sortKeys.indices.dropLast(), using: &random)
        guard from != index else { continue }
        items.remove(at: from)
        if from < index { index -= 1 }
        items.insert(at: isBefore ? index : index + 1)
        if isBefore { index += 1 }
      case 4:
        items.remove(at: isBefore ? index - 1 : index + 1)
        if isBefore { index -= 1 }
      default:
        items.insert(at: isBefore ? index : index + 1)
        if isBefore { index += 1 }
      }
    }
    #expect(items.areInOrder, "seed \(seed)")
    #expect(items.moved < 6 * changes, "seed \(seed): \(items.moved) for \(changes)")
    #expect(items.mostMoved <= 4096, "seed \(seed)")
  }

  @Test func `items beside an end of the strip move beyond it`() {
    for index in [0, 1, 5, 10] {
      var items = Items(count: 10)
      for _ in 0..<500 { items.insert(at: index) }
      #expect(items.areInOrder && items.mostMoved <= 520)
    }
  }
}
