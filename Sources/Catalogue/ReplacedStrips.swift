/// Replaces the strips that an import names, one after the other: what differs is written, and a strip
/// in which nothing does stays at its revision. Those that were not there are made.
///
/// How a strip is read and written is its store's:
///
///     var strips = ReplacedStrips { name in
///       try find(name).map { StripComparison(StoredWalk(of: $0), isAnother: false) { … } }
///     } make: { item, name in
///       try writer.add(item, to: name)
///     }
package struct ReplacedStrips<Walk: FormerItems, Writer: ReplacementWriting> {
  package typealias Comparison = StripComparison<Walk, Writer>

  private let compare: (_ name: String) throws -> Comparison?
  private let make: (_ item: Item, _ name: String) throws -> Void
  /// The strips that have been named.
  private var names: Set<String> = []
  /// The strip that items come for, which is compared unless it is made.
  private var current: (name: String, comparison: Comparison?)?
  /// The strips that are others now.
  package private(set) var changed: [String] = []
  /// How many are what they were.
  package private(set) var same = 0

  /// - Parameters:
  ///   - compare: begins with a strip as it is; nil where there is none of this name.
  ///   - make: takes an item of a strip that was not there.
  package init(
    compare: @escaping (_ name: String) throws -> Comparison?,
    make: @escaping (_ item: Item, _ name: String) throws -> Void
  ) {
    self.compare = compare
    self.make = make
  }

  /// - Precondition: The items of each strip come one after the other.
  /// - Throws: `.invalid` for an item that cannot be taken, and nothing is written then.
  package mutating func add(_ item: Item, to name: String) throws {
    if current?.name != name { try turn(to: name) }
    if current?.comparison == nil {
      try make(item, name)
    } else {
      try current?.comparison?.add(item)
    }
  }

  /// Writes what is held back of strips that were there, and ends their revisions before.
  package mutating func finish() throws {
    guard let name = current?.name, let differs = try current?.comparison?.finish() else { return }
    current = nil
    if differs { changed.append(name) } else { same += 1 }
  }

  private mutating func turn(to name: String) throws {
    try finish()
    let isFirst = names.insert(name).inserted
    precondition(isFirst, "The items of a strip that is replaced come one after the other.")
    current = (name, try compare(name))
  }
}
