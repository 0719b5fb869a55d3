import Catalogue

/// The strips that an import writes, in the transaction that the caller has begun.
struct ImportedStrips {
  private struct Strip {
    /// As it was, where it goes on.
    let former: StripRow?
    /// With the revision that it will have.
    var row: StripRow
    var writer: StripWriter?
    let tail: Int64
  }

  private let session: Session
  private let mode: StripImport.Mode
  private let rows: RowBuffer
  /// The time of the import, in microseconds since 1970.
  private let clock: Int64
  private var strips: [String: Strip] = [:]
  /// Those whose writers are at work.
  private var open: [String] = []

  /// No more are written to at once: the others have been written, and are taken up again where more
  /// comes.
  private static let openLimit = 64

  init(_ session: Session, _ mode: StripImport.Mode) throws {
    self.session = session
    self.mode = mode
    rows = RowBuffer(session)
    clock = try session.clock()
  }

  /// How many strips there are.
  var counts: StripCounts {
    let changed = strips.values.count { $0.former != nil }
    return StripCounts(made: strips.count - changed, changed: changed)
  }

  /// Begins with a strip, if that has not been done.
  mutating func begin(_ name: String) throws {
    guard strips[name]?.writer == nil else { return }
    if open.count == Self.openLimit {
      for name in open { try close(name) }
      open = []
    }
    if let row = strips[name]?.row {
      try rows.send()
      strips[name]?.writer = try StripWriter(session, rows, strip: row, revision: row.revision)
    } else {
      let (former, row) = try found(name)
      let writer = try StripWriter(session, rows, strip: row, revision: row.revision)
      strips[name] = Strip(former: former, row: row, writer: writer, tail: writer.tail)
    }
    open.append(name)
  }

  /// - Throws: `.invalid` for an id that is there already or a 65th kind; nothing is written then.
  mutating func add(_ item: Item, to name: String) throws {
    try begin(name)
    try strips[name]?.writer?.add(item)
  }

  /// Writes what is still held back, makes each strip its next revision, and tells all servers.
  ///
  /// - Parameters:
  ///   - settings: what to change of those that they have.
  ///   - title: what a strip is called that has no title of its own.
  /// - Returns: what has become of the last strip.
  @discardableResult
  mutating func finish(
    _ settings: SettingsChange, title: (String) -> String? = { _ in nil }
  ) throws -> ImportedStrip? {
    for name in open { try close(name) }
    try rows.send()
    var finished: ImportedStrip?
    for (name, strip) in strips {
      var row = strip.row
      row.settings = try settings.applied(to: row.settings, of: name, called: title(name))
      row.folded = row.revision
      try row.store(session)
      if let former = strip.former {
        var succession = RevisionWriter(session, from: former, to: row.revision)
        try succession.keep(LayoutStep(LayoutChanges([]), tail: strip.tail))
        try succession.finish()
      }
      finished = ImportedStrip(count: row.totals.count, revision: row.revision)
    }
    try session.notify(of: Array(strips.keys))
    try session.notifyOfList()
    return finished
  }

  private mutating func close(_ name: String) throws {
    guard var writer = strips[name]?.writer else { return }
    try writer.finish()
    strips[name]?.writer = nil
    strips[name]?.row.kinds = writer.kindNames
    strips[name]?.row.totals += writer.added
  }

  private func found(_ name: String) throws -> (former: StripRow?, made: StripRow) {
    while true {
      guard var row = try StripRow.lock(session, name: name) else {
        if let made = try StripRow.make(session, name: name, clock: clock) { return (nil, made) }
        continue
      }
      switch mode {
      case .make:
        throw CatalogueError.stripExists(name)
      case .append:
        try Folding.fold(&row, session)
        let former = row
        row.revision += 1
        return (former, row)
      case .replace:
        let former = row.number
        row.revision = Revision.making(clock: clock, former: row.revision)
        try row.renew(session)
        try StripRow.deleteItems(of: former, session)
        return (nil, row)
      }
    }
  }
}
