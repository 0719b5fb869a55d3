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
