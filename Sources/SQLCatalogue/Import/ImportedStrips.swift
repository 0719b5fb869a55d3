import Catalogue

/// The strips that an import makes or appends to, in one transaction.
struct ImportedStrips {
  private struct Strip {
    /// The strip before the import; nil if the import makes it.
    let previous: StripRow?
    var row: StripRow
    let revision: Int64
    let appendedFrom: Int64
  }

  private let session: any SQLSession
  private let mode: StripImport.Mode
  private let settings: SettingsChange
  private let title: (String) -> String?
  private let bulk: any SQLBulkWriter
  private var strips: [String: Strip] = [:]
  private var writers: [String: StripWriter] = [:]

  /// The most strips that have a writer. A strip whose writer was closed gets another one.
  private static let writerLimit = 64

  /// - Parameter title: the title of a strip that has none but its name.
  init(
    _ session: any SQLSession, _ mode: StripImport.Mode, _ settings: SettingsChange,
    title: @escaping (String) -> String? = { _ in nil }
  ) {
    self.session = session
    self.mode = mode
    self.settings = settings
    self.title = title
    bulk = session.bulkWriter()
  }

  var counts: StripCounts {
    let changed = strips.values.count { $0.previous != nil }
    return StripCounts(created: strips.count - changed, changed: changed)
  }

  /// Makes or finds a strip, if that was not done.
  mutating func begin(_ name: String) throws {
    // A subscript would copy the writer for each item.
    guard writers.index(forKey: name) == nil else { return }
    if writers.count == Self.writerLimit { try closeWriters() }
    if let strip = strips[name] {
      try bulk.flush()
      writers[name] = try StripWriter(session, bulk, strip: strip.row, at: strip.revision)
    } else {
      let (previous, row, revision) = try find(name)
      let writer = try StripWriter(session, bulk, strip: row, at: revision)
      strips[name] = Strip(
        previous: previous, row: row, revision: revision, appendedFrom: writer.appendedFrom)
      writers[name] = writer
    }
  }

  /// - Throws: `.stripExists` for a strip that exists, if the mode is to make it; `.invalid` for an item
  ///   that the strip cannot have. Nothing of the item is written then.
  mutating func append(_ item: Item, to name: String) throws {
    try begin(name)
    try writers[name]?.append(item)
  }

  /// Writes all buffered rows, and makes each strip's revision.
  ///
  /// - Returns: the last strip.
  @discardableResult
  mutating func finish() throws -> ImportedStrip? {
    try closeWriters()
    try bulk.flush()
    var finished: ImportedStrip?
    for (name, strip) in strips {
      var row = strip.row
      row.settings = try settings.applied(to: row.settings, of: name, called: title(name))
      if let previous = strip.previous {
        var writer = RevisionWriter(session, after: previous, revision: strip.revision)
        try writer.finish(&row, LayoutChanges([], appendedFrom: strip.appendedFrom))
      } else {
        try row.store(session)
      }
      finished = ImportedStrip(count: row.totals.count, revision: row.revision)
    }
    try session.notify(strips.keys.map { .strip($0) } + [.list])
    return finished
  }

  private mutating func closeWriters() throws {
    for (name, var writer) in writers {
      guard var strip = strips[name] else { continue }
      try writer.finish(&strip.row)
      strips[name] = strip
    }
    writers = [:]
  }

  private func find(
    _ name: String
  ) throws -> (previous: StripRow?, row: StripRow, revision: Int64) {
    while true {
      guard var row = try StripRow.lock(session, name: name) else {
        let settings = StripSettings(title: name)
        if let made = try StripRow.make(session, name: name, settings: settings) {
          return (nil, made, made.revision)
        }
        continue
      }
      switch mode {
      case .make:
        throw CatalogueError.stripExists(name)
      case .append:
        return (row, row, row.revision + 1)
      case .replace:
        // Another process has just made it.
        row.revision = Revision.next(clock: try session.clock(), after: row.revision)
        try row.truncate(session)
        return (nil, row, row.revision)
      }
    }
  }
}
