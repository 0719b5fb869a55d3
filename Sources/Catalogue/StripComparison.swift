/// Holds the items of an import against those that a strip has. As long as they are the same nothing
/// is written; from the first on that is not, a writer takes them.
///
///     strip    a  b  c  d  e
///     import   a  b  c' d  e
///              └──┘  └─ the writer, which keeps 2
///
/// - Complexity: O(1) for an item that stands where it stood, before any that differs.
package struct StripComparison<Walk: FormerItems, Writer: ReplacementWriting> {
  private var walk: Walk
  private let isAnother: Bool
  private let begin: (Walk) throws -> Writer
  private var writer: Writer?

  /// - Parameters:
  ///   - walk: at the first of the strip's items.
  ///   - isAnother: whether the strip becomes another one whatever items come, by its settings.
  ///   - begin: makes the writer that goes on where the walk ends.
  package init(_ walk: Walk, isAnother: Bool, begin: @escaping (Walk) throws -> Writer) {
    self.walk = walk
    self.isAnother = isAnother
    self.begin = begin
  }

  /// - Throws: `.invalid` for an item that cannot be taken, and nothing is written then.
  mutating func add(_ item: Item) throws {
    if writer == nil {
      guard try !walk.passes(item) else { return }
      writer = try begin(walk)
    }
    try writer?.add(item)
  }

  /// Writes what is held back of a strip that is another now, and ends the revision before.
  ///
  /// - Returns: whether it is; else it is what it was, and at its revision.
  mutating func finish() throws -> Bool {
    let isSame = try writer?.isSame() ?? walk.isAtEnd
    guard !isSame || isAnother else { return false }
    if writer == nil { writer = try begin(walk) }
    _ = try writer?.finish()
    return true
  }
}

/// The items that a strip has, in order, for as long as those that come are the same.
package protocol FormerItems {
  /// Whether all items have come.
  var isAtEnd: Bool { get }

  /// Goes on where this is the next item, all that it says included.
  ///
  /// - Returns: whether it is.
  mutating func passes(_ item: Item) throws -> Bool
}

/// Writes what differs between the items that a strip had and those that are to be all that it has.
package protocol ReplacementWriting {
  /// - Throws: `.invalid` for an item that cannot be taken, and nothing is written then.
  mutating func add(_ item: Item) throws

  /// Whether the items that were taken are those that the strip had.
  mutating func isSame() throws -> Bool

  /// Writes what is held back, and ends the revision before.
  mutating func finish() throws -> ImportedStrip
}
