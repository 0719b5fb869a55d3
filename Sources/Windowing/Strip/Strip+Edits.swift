extension Strip {
  /// Puts items in front of the one at `index`, or at the end; they belong to `group`.
  ///
  /// - Precondition: `index` is in 0 ... count, and kinds are of this strip.
  /// - Complexity: O(log *n* + *k*) for *k* items.
  public mutating func insert(
    _ items: some Collection<StripItem>, at index: Int, group: String? = nil
  ) {
    precondition(index >= 0 && index <= count, "An insertion is within the strip.")
    let length = items.count
    replaceItems(index..<index, with: items)
    replaceRuns(index..<index, with: .one(group, length: length), title: group)
  }

  /// Puts one item in front of the one at `index`, or at the end; it belongs to `group`.
  ///
  /// - Precondition: As ``insert(_:at:group:)-(Collection<StripItem>,_,_)``.
  /// - Complexity: O(log *n*).
  public mutating func insert(_ item: StripItem, at index: Int, group: String? = nil) {
    insert([item], at: index, group: group)
  }

  /// Puts items at the end; they belong to `group`. O(log *n* + *k*).
  public mutating func append(
    contentsOf items: some Collection<StripItem>, group: String? = nil
  ) {
    insert(items, at: count, group: group)
  }

  /// Puts a whole strip in front of the item at `index`, with its groups and its repetitions.
  ///
  /// - Precondition: `index` is in 0 ... count; the strips number their kinds alike, as far as
  ///   the other has any.
  /// - Complexity: O(log *n* + log *k*).
  public mutating func insert(contentsOf other: Strip, at index: Int) {
    precondition(index >= 0 && index <= count, "An insertion is within the strip.")
    precondition(
      kinds.starts(with: other.kinds), "Strips that are joined number their kinds alike.")
    let (before, after) = split(at: index)
    root = .joining(.joining(before, other.root), after)
    if runs != nil || other.runs != nil {
      let (head, tail) = RunTree.split(wholeRuns(count - other.count), at: index)
      let middle = other.wholeRuns(other.count)
      runs = .concatenating(.concatenating(head, middle), tail)
    }
    checkLimits()
  }

  /// Takes items out. O(log *n*).
  ///
  /// - Precondition: `range` is within the strip.
  public mutating func remove(_ range: Range<Int>) {
    checkRange(range)
    replaceItems(range, with: EmptyCollection())
    replaceRuns(range, with: nil, title: nil)
  }

  /// Puts items in the place of others; the new ones belong to `group`.
  ///
  /// - Precondition: `range` is within the strip, and kinds are of this strip.
  /// - Complexity: O(log *n* + *k*) for *k* new items.
  public mutating func replace(
    _ range: Range<Int>, with items: some Collection<StripItem>, group: String? = nil
  ) {
    checkRange(range)
    let length = items.count
    replaceItems(range, with: items)
    replaceRuns(range, with: .one(group, length: length), title: group)
  }

  /// Moves a run of items in front of the one that is at `destination` before the move, or to
  /// the end; their groups go with them. Within the run itself nothing moves.
  ///
  /// - Precondition: `range` is within the strip, `destination` in 0 ... count.
  /// - Complexity: O(log *n*).
  public mutating func move(_ range: Range<Int>, to destination: Int) {
    checkRange(range)
    precondition(destination >= 0 && destination <= count, "A destination is within the strip.")
    if range.isEmpty || (range.lowerBound...range.upperBound).contains(destination) { return }
    let taken = slice(range)
    let target = destination > range.upperBound ? destination - range.count : destination
    remove(range)
    insert(contentsOf: taken, at: target)
  }

  /// Moves items, wherever they stand, to be neighbours in the order given, in front of the item
  /// that is at `destination` before the move, or at the end.
  ///
  /// - Precondition: Each index is within the strip and named once; `destination` in 0 ... count.
  /// - Complexity: O(*k* log *n*) for *k* items.
  public mutating func move(_ indices: [Int], to destination: Int) {
    precondition(destination >= 0 && destination <= count, "A destination is within the strip.")
    precondition(Set(indices).count == indices.count, "An item moves to one place.")
    var moved = Strip(kinds: kinds)
    for index in indices {
      checkRange(index..<index + 1)
      moved.insert(contentsOf: slice(index..<index + 1), at: moved.count)
    }
    var target = destination
    for index in indices.sorted(by: >) {
      remove(index..<index + 1)
      if index < destination { target -= 1 }
    }
    insert(contentsOf: moved, at: target)
  }

  /// A strip of the items of `range`, with their groups, sharing their nodes. O(log *n*).
  ///
  /// - Precondition: `range` is within the strip.
  public func slice(_ range: Range<Int>) -> Strip {
    checkRange(range)
    var part = Strip(kinds: kinds)
    part.root = root?.split(at: range.upperBound).0?.split(at: range.lowerBound).1
    if range.isEmpty { part.root = nil }
    if runs != nil {
      part.runs = RunTree.split(RunTree.split(runs, at: range.upperBound).0, at: range.lowerBound).1
      part.forgetEmptyRuns()
    }
    return part
  }
}

extension Strip {
  /// Puts items in the place of others and leaves the groups alone.
  mutating func replaceItems(_ range: Range<Int>, with items: some Collection<StripItem>) {
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

  private func checkRange(_ range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "A range of a strip is within it.")
  }
}

/// One change of a strip, as a value: it can be done to a strip, and says where each item went.
///
///     let edit = StripEdit.move(3..<5, to: 0)
///     strip.apply(edit)
///     edit.place(of: 4)  // 1
public enum StripEdit: Hashable, Sendable {
  /// Items come in front of an index, in a group.
  case insert([StripItem], at: Int, group: String? = nil)

  /// Items go.
  case remove(Range<Int>)

  /// Items go, and others come in their place.
  case replace(Range<Int>, with: [StripItem], group: String? = nil)

  /// The items from an index on become wider, narrower, of another kind, and stay the same items.
  case update(at: Int, to: [StripItem])

  /// Items go together to another place; see ``Strip/move(_:to:)-(Range<Int>,_)``.
  case move(Range<Int>, to: Int)
}

extension Strip {
  /// Does an edit.
  ///
  /// - Precondition: Its indices are within the strip, its kinds of this strip.
  /// - Complexity: O(log *n* + *k*) for *k* new items.
  public mutating func apply(_ edit: StripEdit) {
    switch edit {
    case .insert(let items, let index, let group): insert(items, at: index, group: group)
    case .remove(let range): remove(range)
    case .replace(let range, let items, let group): replace(range, with: items, group: group)
    case .update(let index, let items):
      precondition(
        index >= 0 && index + items.count <= count, "A range of a strip is within it.")
      replaceItems(index..<index + items.count, with: items)
    case .move(let range, let destination): move(range, to: destination)
    }
  }
}

extension StripEdit {
  /// Where the item that was at `index` is after the edit, or nil when it is gone. O(1).
  public func place(of index: Int) -> Int? {
    switch self {
    case .insert(let items, let place, _): index < place ? index : index + items.count
    case .remove(let range): StripEdit.place(of: index, without: range, inserting: 0)
    case .replace(let range, let items, _):
      StripEdit.place(of: index, without: range, inserting: items.count)
    case .update: index
    case .move(let range, let destination):
      StripEdit.place(of: index, moving: range, to: destination)
    }
  }

  private static func place(of index: Int, without range: Range<Int>, inserting count: Int) -> Int?
  {
    if range.contains(index) { return nil }
    return index < range.lowerBound ? index : index - range.count + count
  }

  private static func place(of index: Int, moving range: Range<Int>, to destination: Int) -> Int {
    if destination < range.lowerBound {
      if range.contains(index) { return index - range.lowerBound + destination }
      return (destination..<range.lowerBound).contains(index) ? index + range.count : index
    }
    guard destination > range.upperBound else { return index }
    if range.contains(index) { return index + destination - range.upperBound }
    return (range.upperBound..<destination).contains(index) ? index - range.count : index
  }
}
