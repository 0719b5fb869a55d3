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
