import Catalogue
import GRDB

/// Writes the items of an import to the strips that they are for: each is made or extended when its
/// first item comes.
///
/// Items of one strip best come one after the other; a strip that is returned to is taken up where it
/// was left.
struct ImportWriter {
  private let db: Database
  /// Whether strips may be there that are to be extended.
  private let extends: Bool
  private let settings: SettingsChange
  private let title: (String) -> String?
  /// The strips that were written to.
  private var names: Set<String> = []
  /// Those of them that go on from a revision before, as they were.
  private var formers: [String: Former] = [:]
  private var open: Open?

  private struct Former {
    var succession: RevisionWriter
    /// Where the items begin that have come.
    var tail: Int64?
  }

  private struct Open {
    var row: StripRow
    var writer: StripWriter
  }

  /// How many strips were written to.
  private(set) var counts = StripCounts()

  /// - Parameter title: what a strip is called that has no title of its own.
  init(
    _ db: Database, extends: Bool, settings: SettingsChange,
    title: @escaping (String) -> String? = { _ in nil }
  ) {
    self.db = db
    self.extends = extends
    self.settings = settings
    self.title = title
  }

  /// - Throws: `.stripExists` for a strip that is there when one is to be made; `.invalid` for an item
  ///   that cannot be taken, and nothing is written then.
  mutating func add(_ item: Item, to name: String) throws {
    if open?.row.name != name { try turn(to: name) }
    try open?.writer.add(item)
  }

  /// Makes the strip of this name the one that is written to, whether items come or not.
  mutating func turn(to name: String) throws {
    try close()
    var row: StripRow
    if names.contains(name), let begun = try StripRow.fetch(db, name: name) {
      row = begun
    } else {
      row = try begin(name)
    }
    let writer = try StripWriter(db, strip: row)
    if formers[name]?.tail == nil { formers[name]?.tail = writer.tail }
    open = Open(row: row, writer: writer)
  }

  /// Writes what is held back, and ends the revisions before.
  mutating func finish() throws {
    try close()
    let clock = WallClock.now
    for var former in formers.values {
      try former.succession.keep(LayoutStep(LayoutChanges([]), tail: former.tail))
      try former.succession.finish(clock: clock)
    }
    formers = [:]
  }

  private mutating func close() throws {
    guard var closed = open else { return }
    open = nil
    try closed.writer.finish()
    closed.row.totals += closed.writer.added
    try closed.row.update(db)
  }

  /// The row that the items go to, with the revision and the settings that it will have.
  private mutating func begin(_ name: String) throws -> StripRow {
    guard var row = try StripRow.fetch(db, name: name) else {
      names.insert(name)
      counts.made += 1
      return try StripRow.make(
        name,
        settings: settings.applied(
          to: StripSettings(title: name), of: name, called: title(name)), db)
    }
    guard extends else { throw CatalogueError.stripExists(name) }
    names.insert(name)
    counts.changed += 1
    let former = row
    row.settings = try settings.applied(to: row.settings, of: name, called: title(name))
    try Folding.fold(former, db)
    row.revision += 1
    // The chunks hold what is appended.
    row.folded = row.revision
    let succession = try RevisionWriter(
      db, former: former, kinds: former.kinds(db), revision: row.revision)
    formers[name] = Former(succession: succession)
    return row
  }
}
