import Items

/// Holds the items of an import against those that a strip has. As long as they are the same nothing
/// is written; from the first on that is not, a `ReplacementWriter` takes them.
///
///     strip    a  b  c  d  e
///     import   a  b  c' d  e
///              └──┘  └─ ReplacementWriter, keeping 2
///
/// - Complexity: O(1) for an item that stands where it stood, before any that differs.
struct StripComparison {
  private let session: Session
  private let coming: ComingItems
  private let former: StripRow
  private let settings: StripSettings
  private var walk: StripWalk
  private var writer: ReplacementWriter?

  /// - Parameters:
  ///   - coming: holds what is to be put elsewhere.
  ///   - former: the strip as it is, locked.
  ///   - settings: those that it is to have.
  init(
    _ session: Session, _ coming: ComingItems, of former: StripRow, settings: StripSettings
  ) throws {
    self.session = session
    self.coming = coming
    self.former = former
    self.settings = settings
    walk = try StripWalk(session, of: former)
  }

  /// - Throws: `.invalid` for an item that cannot be taken, and nothing is written then.
  mutating func add(_ item: Item) throws {
    if writer == nil {
      guard try !walk.passes(item) else { return }
      try part()
    }
    try writer?.add(item)
  }

  /// Writes what is held back of a strip that is another now, and ends the revision before; servers
  /// are told by the caller.
  ///
  /// - Returns: whether it is; else it is what it was, and at its revision.
  mutating func finish() throws -> Bool {
    let isSame = try writer?.isSame() ?? walk.isAtEnd
    guard !isSame || settings != former.settings else { return false }
    if writer == nil { try part() }
    _ = try writer?.finish()
    return true
  }

  /// Goes on with what is written.
  private mutating func part() throws {
    writer = try ReplacementWriter(
      session, coming, of: former, settings: settings, keeping: walk.count, seen: walk.seen)
  }
}
