/// The kinds of one strip, numbered as they come.
///
/// Once 64 have come, the number of one that no item has any more goes to the next new one, if whoever
/// asks knows how many items there are of each.
package struct KindTable: Sendable {
  package private(set) var names: [String]
  private var numbers: [String: Int]

  package init(names: [String] = []) {
    self.names = names
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }

  /// The number of this kind; one not seen before gets the next, or one that is free.
  ///
  /// - Parameter isFree: whether no item has the kind of a number; asked where 64 have come.
  /// - Throws: `.invalid` for a 65th kind.
  package mutating func number(
    of name: String, isFree: (Int) -> Bool = { _ in false }
  ) throws(CatalogueError) -> Int {
    if let number = numbers[name] { return number }
    if names.count < KindName.maximumCount {
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
    guard let free = names.indices.first(where: isFree) else {
      throw .invalid(
        "kind: \(name.quoted) would be one more than the \(KindName.maximumCount) a strip may have")
    }
    numbers[names[free]] = nil
    numbers[name] = free
    names[free] = name
    return free
  }

  /// Whether this kind has a number, or can be given one.
  ///
  /// - Parameter isFree: as for `number(of:isFree:)`.
  package func hasRoom(for name: String, isFree: (Int) -> Bool) -> Bool {
    numbers[name] != nil || names.count < KindName.maximumCount
      || names.indices.contains(where: isFree)
  }
}
