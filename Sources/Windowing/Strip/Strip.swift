/// A long ordered sequence of items that finds the position of each item in O(log *n*).
///
///     let card = StripItem(size: ItemSize(width: .px(160)), kind: Kind(number: 0))
///     var strip = Strip(kinds: ["card"], repeating: [card], count: 1000)
///     let snapshot = strip  // O(1); never changes
///     strip.remove(10..<20)
///
/// A strip is a value: a persistent tree of running sums. Copies share the tree, and an edit makes
/// O(log *n*) new nodes. Threads that read an older copy need no lock. ``StripLayout`` adds the height,
/// the gap and the inset. An index or a range outside of the strip traps, and so does an item whose
/// kind is not in ``kinds``.
///
/// | operation | cost |
/// |---|---|
/// | copy | O(1) |
/// | item at an index, totals before it | O(log *n*) |
/// | insert, remove, move, replace a run of *k* items | O(log *n* + *k*) |
/// | repeat a pattern any number of times | O(pattern), one entry in the tree |
/// | group at an index, change of a group | O(log runs) |
public struct Strip: Sendable {
  /// The names of the kinds, by number; at most 64.
  public private(set) var kinds: [String]

  /// Nil if there are no items.
  package var root: Node?

  /// The groups of all items; nil if no item has a group.
  var runs: RunTree?

  /// - Precondition: There are at most 64 kinds, and no two are equal.
  public init(kinds: [String] = []) {
    precondition(kinds.count <= Kind.maximumCount, "A strip has at most 64 kinds.")
    precondition(Set(kinds).count == kinds.count, "A strip names each kind once.")
    self.kinds = kinds
  }

  /// - Precondition: `kinds` contains the kinds of all items. There are at most 2^40 items, their
  ///   aspects add up to at most 2^41, and their widths to at most 2^54 px.
  /// - Complexity: O(*n*), one pass.
  public init(kinds: [String], items: some Sequence<StripItem>) {
    self.init(kinds: kinds)
    root = .building(items.lazy.map { PackedItem($0) })
    checkLimits()
  }

  /// Makes a strip from packed items. All segments but the last have ``segmentCapacity`` items, and all
  /// sizes are valid. The other limits are those of ``init(kinds:items:)``. The segments are not
  /// copied.
  package init(kinds: [String], segments: [ContiguousArray<PackedItem>]) {
    precondition(
      segments.dropLast().allSatisfy { $0.count == Strip.segmentCapacity }
        && segments.last?.count ?? 0 <= Strip.segmentCapacity,
      "All segments but the last are full.")
    self.init(kinds: kinds)
    root = .building(segments)
    checkLimits()
  }

  package static var segmentCapacity: Int { Node.initialLeafCount * Node.initialBranchCount }

  /// Makes a strip of `count` items. Calls `rule` once for each index, in order.
  public init(kinds: [String], count: Int, rule: (Int) -> StripItem) {
    self.init(kinds: kinds)
    root = withoutActuallyEscaping(rule) { rule in
      .building((0..<count).lazy.map { PackedItem(rule($0)) })
    }
    checkLimits()
  }

  /// Makes a strip of `count` items that repeat a pattern. The last repetition may be incomplete.
  ///
  ///     Strip(kinds: ["card"], repeating: pattern, count: 1_000_000_000)
  ///
  /// - Precondition: `pattern` is not empty unless `count` is 0. The other limits are those of
  ///   ``init(kinds:items:)``.
  public init(kinds: [String], repeating pattern: some Collection<StripItem>, count: Int) {
    self.init(kinds: kinds)
    guard count > 0 else { return }
    precondition(!pattern.isEmpty, "A pattern has at least one item.")
    if let tree = Node.building(pattern.lazy.map { PackedItem($0) }) {
      root = .repeating(tree, count: count)
    }
    checkLimits()
  }

  /// The kind with this name. Adds the name to the table if it is new.
  ///
  /// - Precondition: The table contains the name, or has fewer than 64 kinds.
  public mutating func kind(named name: String) -> Kind {
    if let number = kinds.firstIndex(of: name) { return Kind(number: number) }
    precondition(kinds.count < Kind.maximumCount, "A strip has at most 64 kinds.")
    kinds.append(name)
    return Kind(number: kinds.count - 1)
  }
}

extension Strip {
  /// The number of items, including hidden ones. O(1).
  public var count: Int { root?.totals.count ?? 0 }

  public var isEmpty: Bool { root == nil }

  public var totals: Totals { root?.totals ?? .zero }

  /// The number of items of `kind` that are not hidden. O(1).
  public func count(of kind: Kind) -> Int { root?.count(ofKind: kind.index) ?? 0 }

  /// The names of the kinds that have items, by number. Edits can leave kinds without items.
  ///
  /// - Complexity: O(kinds). O(hidden items) if a kind may have hidden items only.
  public var kindsInUse: [String] {
    guard let root else { return [] }
    var isUsed = kinds.indices.map { root.count(ofKind: $0) > 0 }
    if isUsed.contains(false) { root.markHiddenKinds(&isUsed) }
    return zip(kinds, isUsed).filter(\.1).map(\.0)
  }

  public func totals(before index: Int) -> Totals {
    precondition(index >= 0 && index <= count, "An index into a strip is within it.")
    return root?.totals(before: index) ?? .zero
  }

  /// The setter keeps the item's group. O(log *n*).
  public subscript(index: Int) -> StripItem {
    get {
      guard let root, index >= 0, index < count else {
        preconditionFailure("An index into a strip is within it.")
      }
      return root.item(at: index).item
    }
    set {
      precondition(index >= 0 && index < count, "An index into a strip is within it.")
      replaceItems(index..<index + 1, with: [newValue])
    }
  }

  /// The items of `range` in order. O(log *n* + items in the range).
  public func items(_ range: Range<Int>) -> [StripItem] {
    checkRange(range)
    var items: [StripItem] = []
    items.reserveCapacity(range.count)
    root?.visit(range) { leaf, part in
      for item in leaf[part] { items.append(item.item) }
      return true
    }
    return items
  }
}

extension Strip: Equatable {
  /// Whether both strips have equal items, kinds and groups. O(1) for unchanged copies, else
  /// O(*n*).
  public static func == (a: Strip, b: Strip) -> Bool {
    guard a.kinds == b.kinds, a.count == b.count else { return false }
    guard let left = a.root, let right = b.root else { return true }
    guard a.groupRuns(from: 0).elementsEqual(b.groupRuns(from: 0)) else { return false }
    if left.isIdentical(to: right) { return true }
    var start = 0
    return left.visit(0..<a.count) { leaf, part in
      var offset = part.lowerBound
      let same = right.visit(start..<start + part.count) { other, run in
        defer { offset += run.count }
        return leaf[offset..<offset + run.count] == other[run]
      }
      start += part.count
      return same
    }
  }
}

extension Strip {
  func checkRange(_ range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "A range of a strip is within it.")
  }

  /// Traps if positions could overflow, or if the table lacks the kind of an item.
  func checkLimits() {
    guard let root else { return }
    precondition(
      root.totals.fitsIn64Bits, "A strip has at most 2^40 items, and sums short of 64 bits.")
    precondition(root.kindCount <= kinds.count, "An item's kind is one of its strip's.")
  }
}

extension Node {
  fileprivate static func repeating(_ pattern: Node, count: Int) -> Node? {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: pattern.totals.count)
    precondition(
      pattern.totals.aspectUnits <= (1 << 57) / (whole + 1)
        && pattern.totals.widthUnits <= (1 << 60) / (whole + 1) && count <= 1 << 40,
      "A strip has at most 2^40 items, and sums short of 64 bits.")
    return joining(pattern.repeated(whole), rest > 0 ? pattern.split(at: rest).0 : nil)
  }
}

extension Strip {
  /// Inserts items before the item at `index`, or at the end. The new items belong to `group`.
  public mutating func insert(
    _ items: [StripItem], at index: Int, group: String? = nil
  ) {
    precondition(index >= 0 && index <= count, "An insertion is within the strip.")
    replace(index..<index, with: items, group: group)
  }

  /// Inserts a strip before the item at `index`, with its groups and repetitions.
  ///
  /// - Precondition: The kinds of `other` are a prefix of ``kinds``.
  /// - Complexity: O(log *n* + log *k*) for *k* items.
  public mutating func insert(contentsOf other: Strip, at index: Int) {
    precondition(index >= 0 && index <= count, "An insertion is within the strip.")
    precondition(
      kinds.starts(with: other.kinds), "Strips that are joined number their kinds alike.")
    let (before, after) = root?.split(at: index) ?? (nil, nil)
    root = .joining(.joining(before, other.root), after)
    if runs != nil || other.runs != nil {
      let (head, tail) = RunTree.split(runsCovering(count - other.count), at: index)
      let middle = other.runsCovering(other.count)
      runs = .concatenating(.concatenating(head, middle), tail)
    }
    checkLimits()
  }

  public mutating func remove(_ range: Range<Int>) {
    checkRange(range)
    replaceItems(range, with: [])
    replaceRuns(range, by: 0, title: nil)
  }

  /// Replaces items. The new items belong to `group`.
  public mutating func replace(
    _ range: Range<Int>, with items: [StripItem], group: String? = nil
  ) {
    checkRange(range)
    replaceItems(range, with: items)
    replaceRuns(range, by: items.count, title: group)
  }

  /// Changes the size or kind of the items from `index` on. They keep their groups.
  public mutating func update(_ index: Int, to items: [StripItem]) {
    checkRange(index..<index + items.count)
    replaceItems(index..<index + items.count, with: items)
  }

  /// Moves a run of items before the item that is at `destination` before the move, or to the end.
  /// The items keep their groups. A destination inside the run changes nothing. O(log *n*).
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
  /// Replaces items, and leaves the groups as they are.
  mutating func replaceItems(_ range: Range<Int>, with items: [StripItem]) {
    root = .replacing(range, of: root, with: items.map { PackedItem($0) })
    checkLimits()
  }
}
