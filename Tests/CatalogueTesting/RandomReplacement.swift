package import Items
import RandomTesting
import Windowing

/// A few changes to many items, of every sort.
package struct RandomReplacement {
  private var random: SeededRandom
  /// The largest number of items that the changes touch.
  package private(set) var touched = 0
  private var made = 0

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  package mutating func applied(to old: [Item]) throws -> [Item] {
    var items = old
    for turn in 0..<Int.random(in: 0...40, using: &random) {
      touched += 1
      let index = Int.random(in: items.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let item = items[index]
        items[index] = try Item(
          id: item.id, kind: item.kind, width: .px(turn + 1), group: item.group,
          fields: item.fields)
      case 1: items.remove(at: index)
      case 2:
        let run = Int.random(in: 1...9, using: &random)
        touched += run - 1
        for _ in 0..<run {
          made += 1
          items.insert(try Item(id: "new \(made)", group: "G\(turn % 3)"), at: index)
        }
      default:
        let item = items.remove(at: index)
        items.insert(item, at: Int.random(in: 0...items.count, using: &random))
      }
    }
    return items
  }
}
