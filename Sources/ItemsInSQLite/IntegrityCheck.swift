package import Catalogue
import Foundation
import GRDB
import Windowing

/// Looks through a database for what is not as it was written.
///
/// SQLite checks its own structure and the schema's rules; what it cannot know is looked at here:
/// that the layout of each strip says of each item what its row says, now and at each revision that
/// is held, that no item is without a place in it, and that each change is in the log of changes and
/// has a number that others can follow it by.
///
/// What it cannot know: whether somebody has written over an id or over fields with others that are
/// as good.
package struct IntegrityCheck {
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
      let lost = try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT strip FROM layout
          EXCEPT SELECT number FROM strip EXCEPT SELECT strip FROM forgotten WHERE first IS NULL
          """)
      for number in lost { add("there are rows of a strip that is gone, number \(number)") }
      try examineNumbers(db)
      for name in try String.fetchAll(db, sql: "SELECT name FROM strip ORDER BY place") {
        noting { examined in try examined.examine(name, db) }
      }
    }
  }

  /// Looks whether the last change's number is there, and is the highest.
  private mutating func examineNumbers(_ db: Database) throws {
    let last = try Int64.fetchAll(db, sql: "SELECT last FROM changes")
    guard let number = last.first, last.count == 1 else {
      return add("changes are not numbered: \"changes\" has \(last.count) rows, not one")
    }
    let names = try Changes.names(after: number, db)
    for name in names {
      add("the strip \"\(name)\" has the number of a change that is still to come")
    }
  }

  /// Looks for revisions that have changed items, and of which the log of changes says nothing.
  private mutating func examineLog(of row: StripRow, _ db: Database) throws {
    let gaps = try Int64.fetchAll(
      db,
      sql: """
        SELECT until FROM (
          SELECT until, lead(until, 1, ?2) OVER (ORDER BY until) AS next,
            weight - lag(weight, 1, CASE place WHEN 1 THEN 0 ELSE weight END)
              OVER (ORDER BY until) AS written
          FROM past_strip WHERE strip = ?1)
        WHERE written > 0 AND NOT EXISTS (
          SELECT * FROM change WHERE strip = ?1 AND revision > until AND revision <= next)
        ORDER BY until
        """, arguments: [row.number, row.revision])
    for until in gaps {
      add("of the strip \"\(row.name)\" it is not known what was changed after revision \(until)")
    }
  }

  private mutating func examine(_ name: String, _ db: Database) throws {
    guard let row = try StripRow.fetch(db, name: name) else { return }
    try examineLog(of: row, db)
    let kinds = try row.kinds(db)
    let placed = try StoredStrip.load(row, database: database, db).placed
    try examine(placed, of: row, kinds, db)
    let changes = try Row.fetchCursor(
      db,
      sql: """
        SELECT changes, (SELECT max(until) FROM past_strip
          WHERE strip = change.strip AND until < change.revision) AS until
        FROM change WHERE strip = ? ORDER BY revision
        """, arguments: [row.number])
    while let kept = try changes.next() {
      noting { examined in
        guard let until: Int64 = try kept.optional("until") else { return }
        try examined.examine(
          LayoutChanges(bytes: Array(kept.required("changes") as Data)), after: until, of: row, db)
      }
    }
  }

  /// Holds the newest layout against the rows of its items.
  private mutating func examine(
    _ placed: PlacedStrip, of row: StripRow, _ kinds: [String], _ db: Database
  ) throws {
    let stored = try DirectStatement(
      db,
      """
      SELECT position, kind, aspect, width, "group", id, fields FROM item WHERE strip = ?
      ORDER BY position
      """)
    stored.bind(1, row.number)
    let itemWidth = row.settings.itemWidth
    var sums = StripTotals()
    var index = 0
    var isAtEnd = false
    while index < placed.strip.count {
      let range = index..<min(index + 4096, placed.strip.count)
      let groups = placed.strip.groups(of: range)
      for ((wanted, position), group) in zip(
        zip(placed.strip.items(range), placed.positions[range]), groups)
      {
        guard !isAtEnd, try stored.next() else {
          isAtEnd = true
          break
        }
        sums.add(StoredSize(stored))
        let item = StoredSize(stored).item(itemWidth: itemWidth, kinds: kinds.count)
        guard stored.integer(0) == position, item == wanted,
          try group.isSameGroup(as: stored.optionalText(4))
        else {
          add(
            "the item \"\(try stored.text(5))\" of the strip \"\(row.name)\" is not what "
              + "the layout says")
          continue
        }
        noting { _ in
          do {
            _ = try StoredItem.content(stored, id: 5, fields: 6)
          } catch CatalogueError.corrupt(let sentence) {
            throw CatalogueError.corrupt(
              "an item of the strip \"\(row.name)\" is damaged: \(sentence)")
          }
        }
      }
      index = range.upperBound
    }
    while try !isAtEnd && stored.next() { sums.add(StoredSize(stored)) }
    count += sums.count
    if sums.count != placed.strip.count {
      add("the strip \"\(row.name)\" has \(sums.count) items, its layout \(placed.strip.count)")
    }
    if sums != row.totals {
      add("the strip \"\(row.name)\" keeps sums that are not those of its items")
    }
  }

  /// Holds what a revision changed of the layout against what is kept of the items before it.
  private mutating func examine(
    _ changes: LayoutChanges, after until: Int64, of row: StripRow, _ db: Database
  ) throws {
    let kept = try DirectStatement(
      db,
      """
      SELECT position, kind, aspect, width, "group" FROM past_item
      WHERE strip = ? AND position = ? AND until = ?
      """)
    kept.bind(1, row.number)
    kept.bind(3, until)
    for place in 0..<changes.count {
      let change = changes[place]
      kept.bind(2, change.position)
      defer { kept.reset() }
      let state =
        try kept.next()
        ? LayoutChange.State(StoredSize(kept), group: try kept.optionalText(4)) : nil
      if state != change.before {
        add(
          "of the strip \"\(row.name)\" at revision \(until) the item at \(change.position) is "
            + "missing, or not what the layout says")
      }
    }
  }

  /// Does `work`, and takes what it throws as a fault.
  private mutating func noting(_ work: (inout IntegrityCheck) throws -> Void) {
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

extension StoredSize {
  /// Kind, aspect and width as the second to fourth column of a row.
  fileprivate init(_ row: DirectStatement) {
    self.init(
      aspect: row.optionalInteger(2).map { Aspect(units: UInt32(truncatingIfNeeded: $0)) },
      width: row.optionalInteger(3).map(Length.init(units:)), kind: Int(row.integer(1)))
  }
}

extension Strip {
  /// The group of each item of `range`, in order.
  fileprivate func groups(of range: Range<Int>) -> [String?] {
    var groups = [String?](repeating: nil, count: range.count)
    for run in groupRuns(from: range.lowerBound) {
      guard run.range.lowerBound < range.upperBound else { break }
      for index in run.range.clamped(to: range) { groups[index - range.lowerBound] = run.title }
    }
    return groups
  }
}
