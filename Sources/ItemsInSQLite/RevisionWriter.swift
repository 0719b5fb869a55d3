import Catalogue
import Foundation
import GRDB
import Windowing

/// The step from one revision of a strip to the next: what is written over or deleted goes to the
/// tables of the past first, so that the former revision can still be read.
///
///     revision          7                    8                    9
///     item at 20      "Blue"  ── update ──  "Blues"
///                                           "Blues" ── remove ──  -
///     past_item                (20, until 7, "Blue")   (20, until 8, "Blues")
///
/// Whoever reads position 20 at revision r takes the row of the past with the least `until` that is
/// not below r, or where there is none the row of the present. `past_strip` has a row for each
/// former revision that is held, with its settings; `change` has one for each revision, with what it
/// made of the layout.
struct RevisionWriter {
  private let db: Database
  /// The strip as it was.
  let former: StripRow
  /// The kinds that it had.
  private let kinds: [String]
  /// The revision that is being made.
  let revision: Int64

  private let supersede: DirectStatement
  /// The numbers of the rows that went to `past_item`, which lie together.
  private var items: ClosedRange<Int64>?
  /// About how many bytes these rows take.
  private var weight: Int64 = 0
  /// What the revision makes of the layout, once that is kept.
  private(set) var step: LayoutStep?

  init(_ db: Database, former: StripRow, kinds: [String], revision: Int64) throws {
    self.db = db
    self.former = former
    self.kinds = kinds
    self.revision = revision
    supersede = try DirectStatement(
      db,
      """
      INSERT INTO past_item (strip, position, until, id, kind, aspect, width, "group", fields)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    supersede.bind(1, former.number)
    supersede.bind(3, former.revision)
  }

  /// Keeps an item as it was read at a position; what stands there may then be written over.
  mutating func supersede(_ item: Item, kind: Int, at position: Int64) throws {
    supersede.bind(2, position)
    supersede.bind(4, item.id)
    supersede.bind(5, Int64(kind))
    supersede.bind(6, item.aspect.map { Int64($0.units) })
    supersede.bind(7, item.width?.units)
    supersede.bind(8, item.group)
    item.fields.json.withUnsafeBufferPointer { supersede.bind(9, utf8: $0) }
    try supersede.run()
    let number = db.lastInsertedRowID
    items = (items?.lowerBound ?? number)...number
    weight += Int64(item.fields.json.count + 400)
  }

  /// Keeps what the revision made of the layout.
  mutating func keep(_ step: LayoutStep) throws {
    self.step = step
    let bytes = Data(step.changes.bytes)
    weight += Int64(bytes.count)
    try db.cachedStatement(
      sql: "INSERT INTO change (strip, revision, count, changes, tail) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [former.number, revision, step.changes.count, bytes, step.tail])
  }

  /// Makes the former revision one that is held, and lets go of those whose time is over: to be
  /// called last, with all rows written.
  ///
  /// - Parameter clock: microseconds since 1970.
  func finish(clock: Int64) throws {
    let last = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT place, weight FROM past_strip WHERE strip = ? ORDER BY until DESC LIMIT 1
          """), arguments: [former.number])
    let place: Int64 = try last?.required("place") ?? 0
    let sum: Int64 = try last?.required("weight") ?? 0
    let settings = former.settings
    try db.cachedStatement(
      sql: """
        INSERT INTO past_strip (strip, until, ended, place, weight, kinds, first_item, last_item,
          title, height, gap, inset, loop, snap, item_width)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      former.number, former.revision, clock, place + 1, sum + weight,
      kinds.joined(separator: ","), items?.lowerBound, items?.upperBound,
      settings.title, settings.height.units, settings.gap.units, settings.inset.units,
      settings.loop, settings.snap.rawValue, settings.itemWidth.units,
    ])
    try forget(clock: clock)
  }

  /// Lets go of what no revision needs that is held: the last 64 are, and those younger than 60 s
  /// as far as 64 MB go. Their rows are deleted later.
  private func forget(clock: Int64) throws {
    let over = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT max(until) FROM (
            SELECT until, place, weight, ended FROM past_strip WHERE strip = ?1
            ORDER BY until LIMIT 8) AS oldest
          JOIN (SELECT place AS lastPlace, weight AS lastWeight FROM past_strip WHERE strip = ?1
            ORDER BY until DESC LIMIT 1)
          WHERE lastPlace - place >= 63
            AND (ended < ?2 - 60000000 OR lastWeight - weight > 64000000)
          """), arguments: [former.number, clock])
    guard let over else { return }
    try db.cachedStatement(
      sql: """
        INSERT INTO forgotten (strip, first, last) SELECT strip, first_item, last_item
        FROM past_strip WHERE strip = ? AND until <= ? AND first_item IS NOT NULL
        """
    ).execute(arguments: [former.number, over])
    try db.cachedStatement(sql: "DELETE FROM past_strip WHERE strip = ? AND until <= ?")
      .execute(arguments: [former.number, over])
  }
}

extension StripRow {
  /// The strip as it was at a former revision that is held, and the kinds that it had.
  func held(at revision: Int64, _ db: Database) throws -> (row: StripRow, kinds: [String])? {
    let past = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM past_strip WHERE strip = ? AND until = ?"),
      arguments: [number, revision])
    guard let past else { return nil }
    var row = self
    row.settings = try past.settings()
    row.revision = revision
    let kinds: String = try past.required("kinds")
    return (row, kinds.split(separator: ",").map(String.init))
  }

  /// Why a former revision that is not held cannot be had, of those that were this strip's
  /// or an earlier one's of its name.
  ///
  /// Those that are held follow on one another: a number between two of them, or between the last
  /// and the newest, was jumped over when a replacement took its number from the clock. Of a
  /// strip of this name that was removed the last revision alone is known: each number up to that may
  /// have been one of its own.
  func absence(of revision: Int64, _ db: Database) throws -> CatalogueError {
    let bounds = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT (SELECT min(until) FROM past_strip WHERE strip = ?) AS oldest,
            (SELECT revision FROM former WHERE name = ?) AS former
          """), arguments: [number, name])
    let oldest: Int64? = try bounds?.optional("oldest")
    let former: Int64? = try bounds?.optional("former")
    let isGone =
      revision < firstRevision ? revision <= former ?? -1 : revision < oldest ?? self.revision
    return isGone ? .revisionGone(revision) : .revisionUnknown(revision)
  }

  /// What became of the layout with each revision after `first` up to `last`, in order.
  func steps(after first: Int64, upTo last: Int64, _ db: Database) throws -> [LayoutStep] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT changes, tail FROM change
          WHERE strip = ? AND revision > ? AND revision <= ? ORDER BY revision
          """), arguments: [number, first, last])
    var steps: [LayoutStep] = []
    while let row = try rows.next() {
      let changes: Data = try row.required("changes")
      steps.append(
        LayoutStep(try LayoutChanges(bytes: Array(changes)), tail: try row.optional("tail")))
    }
    return steps
  }
}
