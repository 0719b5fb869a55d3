extension Strip {
  /// Inserts items before the item at `index`, or at the end. The new items belong to `group`.
  ///
  /// - Precondition: `index` is in 0 ... count, and ``kinds`` contains the kinds of the items.
  /// - Complexity: O(log *n* + *k*) for *k* items.
  public mutating func insert(
    _ items: [StripItem], at index: Int, group: String? = nil
  ) {
    precondition(index >= 0 && index <= count, "An insertion is within the strip.")
    replace(index..<index, with: items, group: group)
  }

  /// Inserts a strip before the item at `index`, with its groups and repetitions.
  ///
  /// - Precondition: `index` is in 0 ... count. The kinds of `other` are a prefix of ``kinds``.
  /// - Complexity: O(log *n* + log *k*) for *k* items.
  public mutating func insert(contentsOf other: Strip, at index: Int) {
    precondition(index >= 0 && index <= count, "An insertion is within the strip.")
    precondition(
      kinds.starts(with: other.kinds), "Strips that are joined number their kinds alike.")
    let (before, after) = split(at: index)
    root = .joining(.joining(before, other.root), after)
    if runs != nil || other.runs != nil {
      let (head, tail) = RunTree.split(runsCovering(count - other.count), at: index)
      let middle = other.runsCovering(other.count)
      runs = .concatenating(.concatenating(head, middle), tail)
    }
    checkLimits()
  }

  /// Removes items. O(log *n*).
  ///
  /// - Precondition: `range` is within the strip.
  public mutating func remove(_ range: Range<Int>) {
    checkRange(range)
    replaceItems(range, with: [])
    replaceRuns(range, by: 0, title: nil)
  }

  /// Replaces items. The new items belong to `group`.
  ///
  /// - Precondition: `range` is within the strip, and ``kinds`` contains the kinds of the items.
  /// - Complexity: O(log *n* + *k*) for *k* new items.
  public mutating func replace(
    _ range: Range<Int>, with items: [StripItem], group: String? = nil
  ) {
    checkRange(range)
    replaceItems(range, with: items)
    replaceRuns(range, by: items.count, title: group)
  }

  /// Changes the size or kind of the items from `index` on. They keep their groups.
  ///
  /// - Precondition: The items are within the strip, and ``kinds`` contains the kinds of the new ones.
  /// - Complexity: O(log *n* + *k*) for *k* items.
  public mutating func update(_ index: Int, to items: [StripItem]) {
    checkRange(index..<index + items.count)
    replaceItems(index..<index + items.count, with: items)
  }

  /// Moves a run of items before the item that is at `destination` before the move, or to the end.
  /// The items keep their groups. A destination inside the run changes nothing.
  ///
  /// - Precondition: `range` is within the strip, and `destination` is in 0 ... count.
  /// - Complexity: O(log *n*).
  public mutating func move(_ range: Range<Int>, to destination: Int) {
    checkRange(range)
    precondition(destination >= 0 && destination <= count, "A destination is within the strip.")
    if range.isEmpty || (range.lowerBound...range.upperBound).contains(destination) { return }
    let moved = slice(range)
    let target = destination > range.upperBound ? destination - range.count : destination
    remove(range)
    insert(contentsOf: moved, at: target)
  }

  /// A strip of the items of `range`, with their groups. Both strips share nodes. O(log *n*).
  ///
  /// - Precondition: `range` is within the strip.
  public func slice(_ range: Range<Int>) -> Strip {
    checkRange(range)
    var part = Strip(kinds: kinds)
    part.root = root?.split(at: range.upperBound).0?.split(at: range.lowerBound).1
    if range.isEmpty { part.root = nil }
    if runs != nil {
      part.runs = RunTree.split(RunTree.split(runs, at: range.upperBound).0, at: range.lowerBound).1
      part.dropUntitledRuns()
    }
    return part
  }
}

extension Strip {
  /// Replaces items and does not touch the groups.
  mutating func replaceItems(_ range: Range<Int>, with items: [StripItem]) {
    if items.count <= Node.leafCapacity, let root {
      let packed = items.map { PackedItem($0) }
      if let replaced = root.replacing(range, with: packed) {
        self.root = Node.joining(replaced.first, replaced.second)
        checkLimits()
        return
      }
    }
    let (before, rest) = split(at: range.lowerBound)
    let after = rest?.split(at: range.count).1
    root = .joining(.joining(before, .building(items)), after)
    checkLimits()
  }

  private func split(at index: Int) -> (Node?, Node?) { root?.split(at: index) ?? (nil, nil) }
}
