package import Windowing

/// A strip, and at which position of its store each item is.
package struct PlacedStrip: Sendable {
  package private(set) var strip: Strip
  package private(set) var positions: Positions

  /// - Precondition: As many positions as items.
  package init(_ strip: Strip, at positions: Positions) {
    precondition(strip.count == positions.count, "Each item has a position.")
    self.strip = strip
    self.positions = positions
  }

  /// Takes up the kinds that a strip has come to have; `names` begin with those it has.
  package mutating func addKinds(_ names: [String]) {
    for name in names.dropFirst(strip.kinds.count) { _ = strip.kind(named: name) }
  }

  /// Makes changes; what they do not touch is shared with the strip as it was.
  ///
  /// - Parameter itemWidth: the width of an item that has neither aspect nor width.
  /// - Throws: `.corrupt` for items that none of ours could be.
  /// - Complexity: O(chunks of the positions + *k* log *n*).
  package mutating func apply(
    _ changes: LayoutChanges, itemWidth: Length
  ) throws(CatalogueError) {
    for splice in positions.apply(changes).reversed() {
      var items: [StripItem] = []
      var groups: [String?] = []
      for place in splice.changes {
        guard let after = changes[place].after else { continue }
        guard let item = after.item.item(itemWidth: itemWidth, kinds: strip.kinds.count) else {
          throw .corrupt("a change of the layout is damaged")
        }
        items.append(item)
        groups.append(after.group)
      }
      strip.replace(splice.items, with: items, in: groups)
    }
  }

  /// Puts items behind all others.
  ///
  /// - Precondition: They stand behind the last one.
  package mutating func append(
    _ items: [StripItem], at chunk: Positions.Chunk, in groups: [String?]
  ) {
    positions.append(chunk)
    strip.replace(strip.count..<strip.count, with: items, in: groups)
  }

  /// Takes away the items at `position` and behind it.
  package mutating func truncate(at position: Int64) {
    let count = positions.count(before: position)
    strip.remove(count..<strip.count)
    positions.truncate(at: count)
  }
}

extension Strip {
  /// Puts items in the place of others, each in its group.
  fileprivate mutating func replace(
    _ range: Range<Int>, with items: [StripItem], in groups: [String?]
  ) {
    guard let first = groups.first else { return remove(range) }
    let isOneGroup = groups.allSatisfy { $0.isSameGroup(as: first) }
    if isOneGroup, items.count == range.count, isGroup(first, throughout: range) {
      return apply(.update(at: range.lowerBound, to: items))
    }
    replace(range, with: items, group: first)
    guard !isOneGroup else { return }
    var start = 0
    for end in 1...groups.count
    where end == groups.count || !groups[end].isSameGroup(as: groups[start]) {
      setGroup(groups[start], for: range.lowerBound + start..<range.lowerBound + end)
      start = end
    }
  }

  /// Whether each item of `range` is in this group, or each in none.
  private func isGroup(_ title: String?, throughout range: Range<Int>) -> Bool {
    if let title {
      guard let run = groupRun(at: range.lowerBound) else { return false }
      return run.range.upperBound >= range.upperBound
        && run.title.utf8.elementsEqual(title.utf8)
    }
    var runs = groupRuns(from: range.lowerBound)
    guard let next = runs.next() else { return true }
    return next.range.lowerBound >= range.upperBound
  }
}

extension PlacedStrip {
  /// Gives the strip the kinds that it had at another revision.
  ///
  /// - Precondition: Each kind that an item has is among them.
  /// - Complexity: O(1) where they are the same, else O(*n*).
  package mutating func rename(kinds: [String]) {
    guard kinds != strip.kinds else { return }
    let strip = strip
    let items = stride(from: 0, to: strip.count, by: 4096).lazy.flatMap {
      strip.items($0..<min($0 + 4096, strip.count))
    }
    var renamed = Strip(kinds: kinds, items: items)
    for run in strip.groupRuns(from: 0) { renamed.setGroup(run.title, for: run.range) }
    self.strip = renamed
  }
}
