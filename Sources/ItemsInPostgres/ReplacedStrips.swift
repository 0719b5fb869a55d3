import Items

/// Replaces the strips that an import names, one after the other, in the transaction that the caller
/// has begun: what differs is written, and a strip in which nothing does stays at its revision. Those
/// that were not there are made.
struct ReplacedStrips {
  private let session: Session
  private let settings: SettingsChange
  private let title: (String) -> String?
  private let coming: ComingItems
  /// Writes the strips that were not there.
  private var making: ImportedStrips
  /// The strips that have been named.
  private var names: Set<String> = []
  private var current: Current?
  /// The strips that are others now.
  private var changed: [String] = []
  private var same = 0

  private struct Current {
    let name: String
    /// With the strip as it is; nil for one that is made.
    var comparison: StripComparison?
  }

  /// - Parameter title: what a strip is called that has no title of its own.
  init(
    _ session: Session, settings: SettingsChange, title: @escaping (String) -> String?
  ) throws {
    self.session = session
    self.settings = settings
    self.title = title
    coming = ComingItems(session)
    // Whoever makes a strip meanwhile that this is to make has it replaced.
    making = try ImportedStrips(session, .replace)
  }

  /// - Precondition: The items of each strip come one after the other.
  /// - Throws: `.invalid` for an item that cannot be taken, and nothing is written then.
  mutating func add(_ item: Item, to name: String) throws {
    if current?.name != name { try turn(to: name) }
    if current?.comparison == nil {
      try making.add(item, to: name)
    } else {
      try current?.comparison?.add(item)
    }
  }

  /// Writes what is held back, ends the revisions before, and tells all servers.
  mutating func finish() throws -> StripCounts {
    try close()
    let made = making.counts.made
    if made > 0 { try making.finish(settings, title: title) }
    if !changed.isEmpty { try session.notify(of: changed) }
    return StripCounts(made: made, changed: changed.count, same: same)
  }

  private mutating func turn(to name: String) throws {
    try close()
    let isFirst = names.insert(name).inserted
    precondition(isFirst, "The items of a strip that is replaced come one after the other.")
    current = Current(
      name: name,
      comparison: try StripRow.lock(session, name: name).map { former in
        try StripComparison(
          session, coming, of: former,
          settings: settings.applied(to: former.settings, of: name, called: title(name)))
      })
  }

  private mutating func close() throws {
    guard let closed = current?.name, let differs = try current?.comparison?.finish() else {
      return
    }
    current = nil
    if differs { changed.append(closed) } else { same += 1 }
  }
}
