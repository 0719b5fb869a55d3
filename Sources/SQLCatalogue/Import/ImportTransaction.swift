import Catalogue
import Items
import Views
import Windowing

/// The strips that an import makes, appends to or replaces, in one transaction.
struct ImportTransaction {
  private struct Strip {
    /// Nil if the import makes the strip.
    let previous: StripRow?
    var row: StripRow
    let revision: Int64
    let appendedFrom: Int64
  }

  private let session: any SQLSession
  private let request: StripImport
  private let bulk: any SQLBulkWriter
  private var strips: [String: Strip] = [:]
  private var writers: [String: BulkLoader] = [:]
  private let newItems: TemporaryTable
  private var replacement: (name: String, writer: ReplacementWriter)?
  private var replaced: Set<String> = []
  private var counts = StripCounts()
  private var last: ImportedStrip?

  /// The most open writers. A strip whose writer was closed gets another one.
  private static let writerLimit = 64

  init(_ session: any SQLSession, _ request: StripImport) {
    self.session = session
    self.request = request
    bulk = session.bulkWriter()
    newItems = TemporaryTable(session)
  }

  /// Prepares a strip for its next item.
  ///
  /// - Precondition: The items of a replaced strip are consecutive.
  mutating func begin(_ name: String) throws {
    // A subscript would copy the writer for each item.
    guard writers.index(forKey: name) == nil, replacement?.name != name else { return }
    if request.mode == .replace, strips[name] == nil,
      let previous = try StripRow.lock(session, name: name)
    {
      try finishReplacement()
      let isFirst = replaced.insert(name).inserted
      precondition(isFirst, "The items of a strip that is replaced come one after the other.")
      let settings = try request.settings.applied(
        to: previous.settings, of: name, called: request.title(name))
      replacement = (
        name, try ReplacementWriter(session, newItems, of: previous, settings: settings)
      )
      return
    }
    if writers.count == Self.writerLimit { try closeWriters() }
    if let strip = strips[name] {
      try bulk.flush()
      writers[name] = try BulkLoader(session, bulk, strip: strip.row, at: strip.revision)
    } else {
      let (previous, row, revision) = try find(name)
      let writer = try BulkLoader(session, bulk, strip: row, at: revision)
      strips[name] = Strip(
        previous: previous, row: row, revision: revision, appendedFrom: writer.appendedFrom)
      writers[name] = writer
    }
  }

  /// - Throws: `.stripExists` if the strip exists and the mode is to make it; `.invalid` for an item that the strip cannot
  ///   have. Then nothing of the item is written.
  mutating func append(_ item: Item, to name: String) throws {
    try withStripContext(of: name) {
      try begin(name)
      if replacement?.name == name {
        try replacement?.writer.append(item)
      } else {
        try writers[name]?.append(item)
      }
    }
  }

  mutating func finish() throws -> (counts: StripCounts, last: ImportedStrip?) {
    try finishReplacement()
    guard !strips.isEmpty else { return (counts, last) }
    try closeWriters()
    try bulk.flush()
    for (name, strip) in strips.sorted(by: { $0.key < $1.key }) {
      var row = strip.row
      row.settings = try request.settings.applied(
        to: row.settings, of: name, called: request.title(name))
      if let previous = strip.previous {
        guard row.totals.count > previous.totals.count || row.settings != previous.settings else {
          counts.same += 1
          last = ImportedStrip(count: previous.totals.count, revision: previous.revision)
          continue
        }
        var writer = RevisionWriter(session, after: previous, revision: strip.revision)
        try writer.storeRevision(&row, GeometryChanges([], appendedFrom: strip.appendedFrom))
        counts.changed += 1
      } else {
        try row.store(session)
        counts.created += 1
      }
      last = ImportedStrip(count: row.totals.count, revision: row.revision)
    }
    try session.notify(strips.keys.map { .strip($0) } + [.catalogueChanged])
    return (counts, last)
  }

  private mutating func finishReplacement() throws {
    guard var writer = replacement?.writer else { return }
    replacement = nil
    let (strip, isChanged) = try writer.finish()
    if isChanged { counts.changed += 1 } else { counts.same += 1 }
    last = strip
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
        if let made = try StripRow.create(session, name: name, settings: settings) {
          return (nil, made, made.revision)
        }
        continue
      }
      switch request.mode {
      case .create:
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

/// Replaces the items of a strip. It writes the differences. If there are too many differences or items, or if stored rows
/// are damaged, it writes the whole strip.
private struct ReplacementWriter {
  private let session: any SQLSession
  private let previous: StripRow
  private let settings: StripSettings
  /// Nil if the strip cannot be compared.
  private var replacement: StripReplacement?
  private var rewritten: (row: StripRow, writer: BulkLoader, bulk: any SQLBulkWriter)?

  init(
    _ session: any SQLSession, _ newItems: TemporaryTable, of previous: StripRow,
    settings: StripSettings
  ) throws {
    self.session = session
    self.previous = previous
    self.settings = settings
    if previous.totals.count <= StripReplacement.itemLimit {
      replacement = try Self.nilIfDamaged {
        try StripReplacement(session, of: previous, settings: settings, newItems)
      }
    }
    if replacement == nil { try rewrite() }
  }

  mutating func append(_ item: Item) throws {
    if rewritten == nil {
      let isTaken =
        try Self.nilIfDamaged {
          try replacement?.append(item)
          return true
        } ?? false
      if !isTaken || replacement?.isTooDifferent == true { try rewrite() }
      if isTaken { return }
    }
    try rewritten?.writer.append(item)
  }

  /// Makes the strip's next revision, unless it would be the same.
  mutating func finish() throws -> (strip: ImportedStrip, isChanged: Bool) {
    if rewritten == nil {
      let finished = try Self.nilIfDamaged { try finishReplacement() }
      if let finished = finished ?? nil { return finished }
      try rewrite()
    }
    guard var rewritten else {
      preconditionFailure("A strip that cannot be compared is rewritten.")
    }
    var row = rewritten.row
    try rewritten.writer.finish(&row)
    try rewritten.bulk.flush()
    try row.store(session)
    try session.notify([.strip(row.name)])
    return (ImportedStrip(count: row.totals.count, revision: row.revision), true)
  }

  /// Writes the differences. Nil if there are too many.
  private mutating func finishReplacement() throws -> (strip: ImportedStrip, isChanged: Bool)? {
    if settings == previous.settings, try replacement?.isEqual() == true {
      return (ImportedStrip(count: previous.totals.count, revision: previous.revision), false)
    }
    return try replacement?.finish().map {
      (ImportedStrip(count: $0.totals.count, revision: $0.revision), true)
    }
  }

  /// The result of `body`; nil if it meets a damaged row.
  private static func nilIfDamaged<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch CatalogueError.corrupt { return nil }
  }

  /// Empties the strip, and writes the items so far.
  private mutating func rewrite() throws {
    var row = previous
    row.settings = settings
    row.revision = Revision.next(clock: try session.clock(), after: previous.revision)
    let bulk = session.bulkWriter()
    try row.truncate(session)
    var writer = try BulkLoader(session, bulk, strip: row, at: row.revision)
    try replacement?.forEach { try writer.append($0) }
    rewritten = (row, writer, bulk)
  }
}

extension CatalogueError {
  static func idExists(_ id: String) -> CatalogueError {
    .invalid("id: \"\(id)\" exists already")
  }
}
