package import Catalogue
import Synchronization

/// Takes whole strips into a database, each import in one transaction.
package final class StoredImporter: StripImporter {
  private let database: any SQLImportDatabase
  private let isInterrupted = Atomic(false)

  package init(_ database: any SQLImportDatabase) { self.database = database }

  package func interrupt() {
    isInterrupted.store(true, ordering: .sequentiallyConsistent)
    database.interrupt()
  }

  @discardableResult
  package func run(
    _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    try StripName.check(request.name)
    return try database.importing { session in
      if request.mode == .replace,
        let previous = try StripRow.lock(session, name: request.name)
      {
        var replacement = try ReplacementWriter(
          session, StagingTable(session), of: previous,
          settings: request.settings.applied(to: previous.settings))
        try fill { item throws(CatalogueError) in
          try unlessInterrupted { try replacement.append(item) }
        }
        return try replacement.finish().strip
      }
      var strips = ImportedStrips(session, request.mode, request.settings)
      try strips.begin(request.name)
      try fill { item throws(CatalogueError) in
        try unlessInterrupted { try strips.append(item, to: request.name) }
      }
      guard let made = try strips.finish() else {
        preconditionFailure("A strip that was begun is finished.")
      }
      return made
    }
  }

  @discardableResult
  package func runMany(
    _ mode: StripImport.Mode, settings: SettingsChange, title: @escaping (String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts {
    try database.importing { session in
      // A strip that another process makes during the import is replaced.
      var strips = ImportedStrips(session, mode, settings, title: title)
      var replaced = ReplacedStrips(session, settings, title: title)
      try fill { item, name throws(CatalogueError) in
        try StripName.check(name)
        try unlessInterrupted {
          guard mode == .replace, try replaced.append(item, to: name) else {
            return try strips.append(item, to: name)
          }
        }
      }
      try replaced.finish()
      if strips.counts.all > 0 { try strips.finish() }
      var counts = strips.counts
      counts.changed += replaced.changedCount
      counts.same += replaced.sameCount
      return counts
    }
  }

  /// Runs `add` for an item, unless the import is interrupted.
  private func unlessInterrupted(_ add: () throws -> Void) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    do {
      try add()
    } catch {
      // Sessions throw no other error.
      throw error as? CatalogueError ?? .failed("\(database.name): \(error)")
    }
  }
}

/// The strips that an import replaces, one after the other. Strips that it makes are left to the caller.
private struct ReplacedStrips {
  private let session: any SQLSession
  private let settings: SettingsChange
  private let title: (String) -> String?
  private let staging: StagingTable
  private var current: (name: String, writer: ReplacementWriter?)?
  private var names: Set<String> = []
  private(set) var changedCount = 0
  private(set) var sameCount = 0

  init(
    _ session: any SQLSession, _ settings: SettingsChange, title: @escaping (String) -> String?
  ) {
    self.session = session
    self.settings = settings
    self.title = title
    staging = StagingTable(session)
  }

  /// Takes an item of a strip that was there before.
  ///
  /// - Precondition: The items of each strip come one after the other.
  /// - Returns: false for a strip that was not there.
  mutating func append(_ item: Item, to name: String) throws -> Bool {
    if current?.name != name { try begin(name) }
    guard current?.writer != nil else { return false }
    try current?.writer?.append(item)
    return true
  }

  mutating func finish() throws {
    if var writer = current?.writer {
      if try writer.finish().isChanged { changedCount += 1 } else { sameCount += 1 }
    }
    current = nil
  }

  private mutating func begin(_ name: String) throws {
    try finish()
    let isFirst = names.insert(name).inserted
    precondition(isFirst, "The items of a strip that is replaced come one after the other.")
    let previous = try StripRow.lock(session, name: name)
    let writer = try previous.map {
      try ReplacementWriter(
        session, staging, of: $0,
        settings: settings.applied(to: $0.settings, of: name, called: title(name)))
    }
    current = (name, writer)
  }
}

/// Writes the items that are to be all that a strip has: what differs, or if that is too much, the strip
/// from the start.
private struct ReplacementWriter {
  private let session: any SQLSession
  private let previous: StripRow
  private let settings: StripSettings
  private var replacement: StripReplacement
  private var rewritten: (row: StripRow, writer: StripWriter, bulk: any SQLBulkWriter)?

  init(
    _ session: any SQLSession, _ staging: StagingTable, of previous: StripRow,
    settings: StripSettings
  ) throws {
    self.session = session
    self.previous = previous
    self.settings = settings
    replacement = try StripReplacement(session, of: previous, settings: settings, staging)
  }

  mutating func append(_ item: Item) throws {
    if rewritten == nil {
      try replacement.append(item)
      if replacement.isTooDifferent { try rewrite() }
    } else {
      try rewritten?.writer.append(item)
    }
  }

  /// Makes the strip's next revision; none if neither items nor settings differ.
  mutating func finish() throws -> (strip: ImportedStrip, isChanged: Bool) {
    if rewritten == nil {
      if settings == previous.settings, try replacement.isEqual() {
        return (
          ImportedStrip(count: previous.totals.count, revision: previous.revision), false
        )
      }
      if let row = try replacement.finish() {
        return (ImportedStrip(count: row.totals.count, revision: row.revision), true)
      }
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

  /// Empties the strip, and writes the items that came so far.
  private mutating func rewrite() throws {
    var row = previous
    row.settings = settings
    row.revision = Revision.next(clock: try session.clock(), after: previous.revision)
    let bulk = session.bulkWriter()
    try row.truncate(session)
    var writer = try StripWriter(session, bulk, strip: row, at: row.revision)
    try replacement.forEach { try writer.append($0) }
    rewritten = (row, writer, bulk)
  }
}
