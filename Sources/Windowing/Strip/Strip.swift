/// A long ordered sequence of items that knows where each of them lies.
///
///     var strip = Strip(kinds: ["card"])
///     let card = StripItem(size: ItemSize(width: .px(160)), kind: Kind(number: 0))
///     strip.append(contentsOf: repeatElement(card, count: 1000))
///     let snapshot = strip            // O(1), and never changes
///     strip.remove(10..<20)
///
/// A strip is a value over a persistent tree of running sums (drawn at `Node`): copies share all
/// of it, an edit makes O(log *n*) new nodes, and copies on other threads read on undisturbed.
/// It serves every height, gap and inset at once; ``Layout`` is a strip drawn with some.
///
/// | operation | cost |
/// |---|---|
/// | copy | O(1) |
/// | an item, its rank, the n-th of a kind, totals before it | O(log *n*) |
/// | insert, remove, move, replace a run of *k* | O(log *n* + *k*) |
/// | a pattern repeated, any number of times | O(pattern), one entry in the tree |
/// | group at an index, setting one | O(log runs) |
public struct Strip: Sendable {
  /// The names of the kinds, by number; at most 64.
  public private(set) var kinds: [String]

  /// The items' tree; nil for none.
  var root: Node?

  /// The groups' tree over all items; nil when no item has a group.
  var runs: RunTree?

  /// Makes a strip without items.
  ///
  /// - Precondition: At most 64 kinds, each once.
  public init(kinds: [String] = []) {
    precondition(kinds.count <= Kind.most, "A strip has at most 64 kinds.")
    precondition(Set(kinds).count == kinds.count, "A strip names each kind once.")
    self.kinds = kinds
  }

  /// Makes a strip of items in order.
  ///
  /// - Precondition: Their kinds are among `kinds`; sums keep within the limits of ``Strip``.
  /// - Complexity: O(*n*), one pass.
  public init(kinds: [String], items: some Sequence<StripItem>) {
    self.init(kinds: kinds)
    root = .building(items)
    checkLimits()
  }

  /// Makes a strip of items that lie in memory as it keeps them: some twenty times faster than one
  /// by one.
  ///
  /// - Precondition: All pieces but the last have ``pieceCapacity`` items. Their kinds are among
  ///   `kinds`, and sizes are such as an item can have; sums keep within the limits of ``Strip``.
  /// - Complexity: O(*n*), one pass; the pieces are not copied.
  package init(kinds: [String], pieces: [ContiguousArray<PackedItem>]) {
    precondition(
      pieces.dropLast().allSatisfy { $0.count == Strip.pieceCapacity }
        && pieces.last?.count ?? 0 <= Strip.pieceCapacity,
      "All pieces but the last are full.")
    self.init(kinds: kinds)
    root = .building(pieces)
    checkLimits()
  }

  /// How many items the pieces have that a strip can be made of.
  package static let pieceCapacity = Node.builtLeaf * Node.builtBranch

  /// Makes a strip of `count` items by a rule: a data source asked once for each index.
  ///
  /// - Complexity: O(`count`) calls of `rule`.
  public init(kinds: [String], count: Int, rule: (Int) -> StripItem) {
    self.init(kinds: kinds)
    root = withoutActuallyEscaping(rule) { rule in .building((0..<count).lazy.map(rule)) }
    checkLimits()
  }

  /// Makes a strip of `count` items by a pattern that begins again at its end; the last turn may
  /// be cut short.
  ///
  ///     Strip(kinds: ["card"], repeating: pattern, count: 1_000_000_000)
  ///
  /// The pattern is kept once, whatever the count.
  ///
  /// - Precondition: `pattern` is not empty unless `count` is 0.
  /// - Complexity: O(pattern).
  public init(kinds: [String], repeating pattern: some Collection<StripItem>, count: Int) {
    self.init(kinds: kinds)
    guard count > 0 else { return }
    precondition(!pattern.isEmpty, "A pattern of no items gives no items.")
    if let turn = Node.building(pattern) { root = .repeating(turn, count: count) }
    checkLimits()
  }

  /// Makes a strip of `count` items by a pattern that is a strip; its groups are not repeated.
  ///
  /// - Precondition: `pattern` is not empty unless `count` is 0.
  /// - Complexity: O(log pattern).
  public init(repeating pattern: Strip, count: Int) {
    self.init(kinds: pattern.kinds)
    guard count > 0 else { return }
    guard let turn = pattern.root else { preconditionFailure("A pattern of no items gives none.") }
    root = .repeating(turn, count: count)
    checkLimits()
  }

  /// The kind of this name, added to the table if it is new.
  ///
  /// - Precondition: The table has room, or the name is in it.
  public mutating func kind(named name: String) -> Kind {
    if let known = knownKind(named: name) { return known }
    precondition(kinds.count < Kind.most, "A strip has at most 64 kinds.")
    kinds.append(name)
    return Kind(number: kinds.count - 1)
  }

  /// The kind of this name, if the table has it.
  public func knownKind(named name: String) -> Kind? {
    kinds.firstIndex(of: name).map { Kind(number: $0) }
  }
}

extension Strip {
  /// Traps where an edit went past what positions can be computed for: 2^40 items, a sum of
  /// aspects of 2^41, or one of widths of 2^54 px; or past the table of kinds.
  func checkLimits() {
    guard let root else { return }
    precondition(
      root.totals.isMeasurable, "A strip has at most 2^40 items, and sums short of 64 bits.")
    precondition(root.kindCount <= kinds.count, "An item's kind is one of its strip's.")
  }
}

extension Node {
  /// A pattern over and over, cut off at `count` items.
  fileprivate static func repeating(_ pattern: Node, count: Int) -> Node? {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: pattern.totals.count)
    precondition(
      pattern.totals.aspectUnits <= (1 << 57) / (whole + 1)
        && pattern.totals.widthUnits <= (1 << 60) / (whole + 1) && count <= 1 << 40,
      "A strip has at most 2^40 items, and sums short of 64 bits.")
    let turns: Node? =
      switch whole {
      case 0: nil
      case 1: pattern
      default: .repetition(Repetition(pattern, times: whole))
      }
    return joining(turns, rest > 0 ? pattern.split(at: rest).0 : nil)
  }
}

extension Strip {
  /// How many items there are, hidden ones counted. O(1).
  public var count: Int { root?.totals.count ?? 0 }

  public var isEmpty: Bool { root == nil }

  /// The sums over all items. O(1).
  public var totals: Totals { root?.totals ?? .zero }

  /// How many items of `kind` are not hidden. O(1).
  public func count(of kind: Kind) -> Int { root?.count(ofKind: kind.index) ?? 0 }

  /// The names of the kinds that items have, by number: edits may leave others without any.
  ///
  /// - Complexity: O(kinds); where hidden items may be the only ones of a kind, O(hidden items).
  public var kindsInUse: [String] {
    guard let root else { return [] }
    var isUsed = kinds.indices.map { root.count(ofKind: $0) > 0 }
    if isUsed.contains(false) { root.markHiddenKinds(&isUsed) }
    return zip(kinds, isUsed).filter(\.1).map(\.0)
  }

  /// The sums over the items before `index`. O(log *n*).
  ///
  /// - Precondition: `index` is in 0 ... count.
  public func totals(before index: Int) -> Totals {
    precondition(index >= 0 && index <= count, "An index into a strip is within it.")
    return root?.totals(before: index) ?? .zero
  }

  /// The item at `index`; setting it keeps its group. O(log *n*).
  ///
  /// - Precondition: `index` is in 0 ..< count.
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

  /// How many items of the same kind, none of them hidden, come before the item at `index`; nil
  /// when it is hidden itself. O(log *n*).
  ///
  /// - Precondition: `index` is in 0 ..< count.
  public func rank(of index: Int) -> Int? {
    let item = self[index]
    guard !item.size.isHidden, let root else { return nil }
    return root.ranks(before: index, kinds: kinds.count)[item.kind.index]
  }

  /// The index of the item of `kind` that has `rank`; nil when there are not so many. O(log *n*).
  public func index(ofRank rank: Int, kind: Kind) -> Int? {
    guard let root, rank >= 0, rank < count(of: kind) else { return nil }
    return root.index(ofRank: rank, kind: kind.index)
  }

  /// The items of `range` in order. O(log *n* + their number).
  ///
  /// - Precondition: `range` is within the strip.
  public func items(_ range: Range<Int>) -> [StripItem] {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "A range of a strip is within it.")
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
  /// Whether both have equal items, kinds and groups, however they came about.
  ///
  /// - Complexity: O(1) for copies that nobody changed, else O(*n*).
  public static func == (a: Strip, b: Strip) -> Bool {
    guard a.kinds == b.kinds, a.count == b.count else { return false }
    guard let left = a.root, let right = b.root else { return true }
    guard a.groupRuns(from: 0).elementsEqual(b.groupRuns(from: 0)) else { return false }
    if left.isIdentical(to: right) { return true }
    var start = 0
    return left.visit(0..<a.count) { leaf, part in
      var place = part.lowerBound
      let same = right.visit(start..<start + part.count) { other, run in
        defer { place += run.count }
        return leaf[place..<place + run.count] == other[run]
      }
      start += part.count
      return same
    }
  }
}
