import RandomTesting
import Story
import Testing

/// The example in Examples/Story: every step shows the same items.
struct StoryTests {
  private let items = Story.shelf(count: 400)
  private let width = 800

  /// Offsets of a reader who moves about, and jumps.
  private func offsets(seed: UInt64) -> [Int] {
    var random = SeededRandom(seed: seed)
    var offset = 0
    return (0..<200).map { _ in
      offset =
        Bool.random(using: &random)
        ? Int.random(in: 0..<45_000, using: &random)
        : max(0, offset + Int.random(in: -300...300, using: &random))
      return offset
    }
  }

  @Test(arguments: Story.steps.indices) func `a step shows the items in view`(_ step: Int) {
    let list = Story.steps[step].list.init(items, width: width)
    let starts = items.reduce(into: [0]) { $0.append($0.last! + $1.width) }
    for offset in offsets(seed: 1) {
      list.scroll(to: offset)
      let seen = list.visibleCells.filter {
        $0.start < offset + width && $0.start + items[$0.index].width > offset
      }
      #expect(
        seen.map(\.index)
          == items.indices.filter { starts[$0] < offset + width && starts[$0 + 1] > offset })
      #expect(seen.allSatisfy { $0.kind == items[$0.index].kind && $0.start == starts[$0.index] })
      if step > 0 { #expect(seen.count == list.visibleCells.count) }
    }
  }

  @Test(arguments: 2..<6) func `a step makes no cell when it has made enough`(_ step: Int) {
    let list = Story.steps[step].list.init(items, width: width)
    for offset in offsets(seed: 2) { list.scroll(to: offset) }
    #expect(list.counts.made < 15)
    #expect(list.counts.shown > 400)
  }

  @Test(arguments: 4..<6) func `a slot draws an item whatever the way to it`(_ step: Int) {
    let rule = Story.steps[4].list.init(items, width: width)
    let list = Story.steps[step].list.init(items, width: width)
    var names: [Int: String] = [:]
    for offset in offsets(seed: 3) {
      rule.scroll(to: offset)
      list.scroll(to: offset)
      #expect(list.visibleCells.map(\.name) == rule.visibleCells.map(\.name))
      for cell in list.visibleCells {
        #expect(names[cell.index, default: cell.name] == cell.name)
        names[cell.index] = cell.name
      }
    }
  }

  @Test(arguments: 2..<4) func `before slots the way decides`(_ step: Int) {
    let names = [Array(stride(from: 0, through: 40_000, by: 50)), [40_000]].map { way in
      let list = Story.steps[step].list.init(items, width: width)
      for offset in way { list.scroll(to: offset) }
      return list.visibleCells.map(\.name)
    }
    #expect(names[0] != names[1])
  }
}
