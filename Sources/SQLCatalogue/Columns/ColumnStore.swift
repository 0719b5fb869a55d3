package import Catalogue

/// Stores the columns that views of a strip read: rows of `stored_columns`. To read them takes a tenth of the time
/// that it takes to read all items.
///
/// The strip's row names the generation, and the log has the changes since.
package struct ColumnStore {
  private let edition: Edition
  private let number: Int64

  package init(_ edition: Edition, number: Int64) {
    self.edition = edition
    self.number = number
  }

  /// - Parameters:
  ///   - row: the strip at its newest revision.
  ///   - positions: those of the items at `revision`.
  /// - Returns: nil if there are none, if they are damaged, or if more than `limit` items have changed since.
  static func fetch(
    _ row: StripRow, at revision: Int64, _ positions: OrderKeys, _ settings: StripSettings,
    limit: Int = .max, memory: MemoryBudget, _ session: any SQLSession
  ) throws -> StoredColumns? {
    guard let stored = row.columns, stored.revision <= revision,
      let log = try row.changes(after: stored.revision, upTo: revision, session)
    else { return nil }
    let changed = Set(log.changedPositions(of: positions)).sorted()
    guard changed.count <= limit else { return nil }
    var before = positions
    if let appendedFrom = log.appendedFrom {
      before.truncate(at: before.count(before: appendedFrom))
    }
    _ = before.apply(log.inverse)
    var position = 0
    return try StoredColumns(
      identity(of: row.number, at: stored.revision), of: settings, keys: before,
      changed: changed, memory: memory
    ) {
      defer { position += 1 }
      return try session.first(
        "SELECT data FROM stored_columns WHERE generation = $1 AND position = $2",
        [.integer(stored.generation), .integer(position)]
      ) { try $0.bytes(0) }
    }
  }

  /// Writes the columns if the store has none, or if many items have changed since.
  ///
  /// - Throws: `.busy` if another process writes them or compacts the strip. Then nothing is stored.
  /// - Complexity: O(bytes), in short transactions. Edits can come between them.
  package func writeIfDue(_ database: any SQLDatabase) throws(CatalogueError) {
    guard let strip = try nextStrip(database) else { return }
    guard let strip = strip.free else { throw .busy(database.name) }
    try write(over: strip, database)
  }

  private static func identity(of strip: Int64, at revision: Int64) -> String {
    "\(strip)/\(revision)"
  }

  /// Nil if no columns are due. Without the row while another process works on the strip.
  private func nextStrip(
    _ database: any SQLDatabase
  ) throws(CatalogueError) -> (free: StripRow?, Void)? {
    try database.read { session in
      guard let row = try StripRow.fetch(session, name: edition.name), try accepts(row, session),
        try isDue(row, session)
      else { return nil }
      return (try UnfinishedGeneration.exists(of: row, session) ? nil : row, ())
    }
  }

  /// Whether the strip in the database has the items of the edition, and the log of what has changed since.
  private func accepts(_ row: StripRow, _ session: any SQLSession) throws -> Bool {
    guard row.number == number, row.settings.filterable == edition.settings.filterable,
      row.settings.searchable == edition.settings.searchable
    else { return false }
    return try row.changes(after: edition.revision, upTo: row.revision, session) != nil
  }

  private func isDue(_ row: StripRow, _ session: any SQLSession) throws -> Bool {
    guard let stored = row.columns else { return true }
    guard stored.revision <= edition.revision else { return false }
    let positions = edition.source.keys
    guard
      let log = try row.changes(after: stored.revision, upTo: edition.revision, session)
    else { return true }
    let count = log.changedPositions(of: positions).count
    if count > SharedColumns.staleCount(of: positions.count) { return true }
    // The stored columns cannot be read if they had to be built.
    return try edition.columns.isBuilt
      && Self.fetch(
        row, at: edition.revision, positions, edition.settings, memory: edition.columns.memory,
        session) == nil
  }

  private func write(
    over previous: StripRow, _ database: any SQLDatabase
  ) throws(CatalogueError) {
    let generation = try database.maintain { try UnfinishedGeneration(of: number, $0) }
    do throws(CatalogueError) {
      var position = 0
      try edition.columns.write(
        edition, as: Self.identity(of: number, at: edition.revision)
      ) { data throws(CatalogueError) in
        try database.maintain { session in
          guard try generation.step(session) else { throw CatalogueError.busy(database.name) }
          try session.run(
            "INSERT INTO stored_columns (generation, position, data) VALUES ($1, $2, $3)",
            [.integer(generation.number), .integer(position), .bytes(data)])
        }
        position += 1
      }
      try database.maintain { try finish(generation, over: previous, $0) }
    } catch {
      try? database.maintain { try generation.discard($0) }
      throw error
    }
  }

  private func finish(
    _ generation: UnfinishedGeneration, over previous: StripRow, _ session: any SQLSession
  ) throws {
    guard var row = try StripRow.lock(session, name: edition.name), try accepts(row, session),
      row.columns?.generation == previous.columns?.generation, try generation.finish(session)
    else { return try generation.discard(session) }
    try row.dropColumns(session)
    row.columns = (generation.number, edition.revision)
    try row.store(session)
    try RevisionWriter.deleteLog(of: row, session)
  }
}

extension [LayoutChanges] {
  /// The positions of the items that were inserted, changed, removed or appended, from the positions after the changes.
  fileprivate func changedPositions(of positions: OrderKeys) -> [Int64] {
    let changes = merged
    let appended =
      appendedFrom.map { positions[positions.count(before: $0)..<positions.count] } ?? []
    return (0..<changes.count).map { changes[$0].position } + appended
  }
}
