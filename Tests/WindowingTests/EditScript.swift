import RandomTesting
import Windowing

/// The naive model of a strip: an array of items and an array of groups.
struct NaiveStrip {
  var items: [StripItem] = []
  var groups: [String?] = []

  mutating func replace(_ range: Range<Int>, with new: [StripItem], group: String?) {
    items.replaceSubrange(range, with: new)
    groups.replaceSubrange(range, with: new.map { _ in group })
  }

  mutating func move(_ range: Range<Int>, to destination: Int) {
    let (movedItems, movedGroups) = (Array(items[range]), Array(groups[range]))
    let target = destination - range.count { $0 < destination }
    items.removeSubrange(range)
    groups.removeSubrange(range)
    items.insert(contentsOf: movedItems, at: target)
    groups.insert(contentsOf: movedGroups, at: target)
  }

  var runs: [GroupRun] {
    var runs: [GroupRun] = []
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, bytes(end) == bytes(start) { end += 1 }
      if let title = groups[start] { runs.append(GroupRun(title: title, range: start..<end)) }
      start = end
    }
    return runs
  }

  /// Titles compare as bytes: the two encodings of an accented e are two titles.
  private func bytes(_ index: Int) -> [UInt8]? { groups[index].map { Array($0.utf8) } }
}

/// Applies random edits to a strip and to its model.
struct EditScript {
  var random: SeededRandom
  let kinds: Int
  /// The approximate number of items.
  let size: Int

  mutating func step(_ strip: inout Strip, _ model: inout NaiveStrip) {
    let n = model.items.count
    let group =
      random.once(in: 3)
      ? ["1971", "1972", "e\u{301}", "\u{e9}"].randomElement(using: &random) : nil
    let low = random.pick(0...n)
    let high = min(
      n, low + (random.once(in: 8) ? random.pick(0...max(1, n / 3)) : random.pick(0...3)))
    switch n > size * 2 ? 2 : random.pick(0...9) {
    case 0, 1:
      let new = items()
      strip.insert(new, at: low, group: group)
      model.replace(low..<low, with: new, group: group)
    case 2:
      strip.remove(low..<high)
      model.replace(low..<high, with: [], group: nil)
    case 3:
      let new = items()
      strip.replace(low..<high, with: new, group: group)
      model.replace(low..<high, with: new, group: group)
    case 4, 5:
      guard low < n else { return }
      let item = random.item(kinds: kinds)
      strip[low] = item
      model.items[low] = item
    case 6, 7:
      let destination = random.once(in: 2) ? random.pick(0...low) : random.pick(high...n)
      strip.move(low..<high, to: destination)
      model.move(low..<high, to: destination)
    case 8:
      strip.setGroup(group, for: low..<high)
      for index in low..<high { model.groups[index] = group }
    default:
      let pattern = random.items(count: random.pick(1...5), kinds: kinds)
      let count = random.pick(1...max(2, size / 4))
      strip.insert(contentsOf: Strip(kinds: strip.kinds, repeating: pattern, count: count), at: low)
      let new = (0..<count).map { pattern[$0 % pattern.count] }
      model.replace(low..<low, with: new, group: nil)
    }
  }

  private mutating func items() -> [StripItem] {
    let count = random.once(in: 10) ? random.pick(0...max(1, size / 2)) : random.pick(0...4)
    return random.items(count: count, kinds: kinds)
  }
}
