import GRDB
package import Items
import Windowing

/// Looks through a database for what is not as it was written.
///
/// SQLite checks its own structure and the schema's rules; what it cannot know is looked at here:
/// that the layout of each strip says of each item what its row says, now and at each revision that
/// is held, and that no item is without a place in it.
package struct Examination {
  /// No more faults are told.
  package static let limit = 100

  /// What is wrong, a sentence each; nothing where all is well.
  package private(set) var faults: [String] = []
  /// How many items there are.
  package private(set) var count = 0

  private let database: SQLiteReaders

  /// - Throws: `.unavailable` when there is no database, it is none of ours, or of a newer version.
  /// - Complexity: reads everything once, in one transaction; writers are not kept from writing.
  package init(path: String) throws(CatalogueError) {
    let database = try SQLiteReaders(path: path, count: 1)
    self.database = database
    try database.read { db in
      for sentence in try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Self.limit))")
      where sentence != "ok" {
        add(sentence)
      }
      for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check") {
        add("a row of \"\(row[0] as String? ?? "")\" belongs to nothing")
      }
      for name in try String.fetchAll(db, sql: "SELECT name FROM strip ORDER BY place") {
        noting { examined in try examined.examine(name, db) }
      }
    }
  }

  private mutating func examine(_ name: String, _ db: Database) throws {
    guard let row = try StripRow.fetch(db, name: name) else { return }
    let kinds = try row.kinds(db)
    let chunks = try Row.fetchCursor(
      db, sql: "SELECT \(StoredChunk.columns) FROM layout WHERE strip = ? ORDER BY position",
      arguments: [row.number])
    var placed = 0
    var totals = StripTotals()
    while let chunk = try chunks.next() {
      noting { examined in
        let chunk = try StoredChunk(chunk)
        placed += chunk.place.count
        chunk.packed.forEach { totals.add($0) }
        try examined.examine(chunk, of: row, at: row.revision, kinds, db)
      }
    }
    count += placed
    if totals != row.totals {
      add("the strip \"\(row.name)\" keeps sums that are not those of its items")
    }
    let there = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM item WHERE strip = ?", arguments: [row.number])
    if there != placed {
      add("the strip \"\(name)\" has \(there ?? 0) items, its layout \(placed)")
    }
    let past = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(StoredChunk.columns), until FROM past_layout JOIN past_strip USING (strip, until)
        WHERE strip = ? ORDER BY until, position
        """, arguments: [row.number])
    while let chunk = try past.next() {
      noting { examined in
        try examined.examine(
          StoredChunk(chunk), of: row, at: chunk.required("until"), kinds, db)
      }
    }
  }

  /// Holds a row of the layout against the rows of its items.
  private mutating func examine(
    _ chunk: StoredChunk, of row: StripRow, at revision: Int64, _ kinds: [String], _ db: Database
  ) throws {
    var positions = Positions()
    positions.append(chunk.place)
    let items = try StoredItems(
      database: database, strip: row.number, name: row.name, revision: revision, kinds: kinds,
      positions: positions
    ).items(in: 0..<chunk.place.count, db)
    let groups = chunk.runs.lazy.flatMap { repeatElement($0.title, count: $0.count) }
    for ((item, packed), group) in zip(zip(items, chunk.packed), groups) {
      let kind = kinds.firstIndex(of: item.kind) ?? 0
      let isSame = PackedItem(aspect: item.aspect, width: item.width, kind: kind) == packed
      if !isSame || !group.isSameGroup(as: item.group) {
        add(
          "the item \"\(item.id)\" of the strip \"\(row.name)\" at revision \(revision) is not what "
            + "the layout says")
      }
    }
  }

  /// Does `work`, and takes what it throws as a fault.
  private mutating func noting(_ work: (inout Examination) throws -> Void) {
    do {
      try work(&self)
    } catch {
      add("\(error)")
    }
  }

  private mutating func add(_ sentence: String) {
    if faults.count < Self.limit { faults.append(sentence) }
  }
}
