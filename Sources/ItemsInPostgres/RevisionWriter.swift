import Catalogue
import Windowing

/// The step from one revision of a strip to the next: what is written over or deleted goes to the
/// tables of the past first, so that the former revision can still be read.
///
///     revision          7                    8                    9
///     item at 20      "Blue"  ── update ──  "Blues"
///                    since 5                since 8 ── remove ──  -
///     past_item             (20, 5 to 7, "Blue")   (20, 8 to 8, "Blues")
///
/// Whoever reads position 20 at revision r takes the row, of the past or of the present, that held
/// then. `past_strip` has a row for each former revision that is held, with its settings; `change` has
/// one for each revision, with what it made of the layout.
struct RevisionWriter {
  private let session: Session
  /// The strip as it was.
  private let former: StripRow
  /// The revision that is being made.
  let revision: Int64
  /// About how many bytes it takes to keep the former one.
  private var weight: Int64 = 0

  init(_ session: Session, from former: StripRow, to revision: Int64) {
    self.session = session
    self.former = former
    self.revision = revision
  }

  /// Takes out the items at some positions; those that the former revision had go to the past.
  ///
  /// - Returns: the items, in no order.
  /// - Throws: `.corrupt` where one is missing.
  mutating func supersede(
    _ positions: [Int64], kinds: [String]
  ) throws -> [(position: Int64, item: Item)] {
    guard !positions.isEmpty else { return [] }
    let gone = try session.run(
      """
      WITH gone AS (
        DELETE FROM item WHERE strip = $1 AND position = ANY($2)
        RETURNING strip, position, since, kind, aspect, width, id, "group", fields
      ), kept AS (
        INSERT INTO past_item (
          strip, position, since, until, kind, aspect, width, id, "group", fields)
        SELECT strip, position, since, $3, kind, aspect, width, id, "group", fields FROM gone
        WHERE since <= $3)
      SELECT position, id, fields, kind, aspect, width, "group" FROM gone
      """, [.integer(former.number), .integers(positions), .integer(former.revision)]
    ).map { (position: try StoredItem.position($0), item: try StoredItem.item($0, kinds: kinds)) }
    guard gone.count == positions.count else {
      throw CatalogueError.corrupt("items of the strip \"\(former.name)\" are missing")
    }
    weight += gone.reduce(0) { $0 + Int64($1.item.fields.json.count + 400) }
    return gone
  }

  /// Keeps what the revision made of the layout.
  mutating func keep(_ step: LayoutStep) throws {
    let bytes = step.changes.bytes
    weight += Int64(bytes.count)
    try session.run(
      "INSERT INTO change (strip, revision, count, changes, tail) VALUES ($1, $2, $3::bigint, $4, $5)",
      [
        .integer(former.number), .integer(revision), .integer(Int64(step.changes.count)),
        .bytes(bytes), .optional(step.tail),
      ])
  }

  /// Makes the former revision one that is held, and lets go of those whose time is over: the last
  /// 64 are held, and those younger than 60 s as far as 64 MB go. To be called last, with all rows
  /// written.
  func finish() throws {
    let clock = try session.clock()
    let last = try session.run(
      "SELECT place, weight FROM past_strip WHERE strip = $1 ORDER BY until DESC LIMIT 1",
      [.integer(former.number)]
    ).first { (try $0.integer(0), try $0.integer(1)) }
    let (place, weight) = ((last?.0 ?? 0) + 1, (last?.1 ?? 0) + weight)
    try session.run(
      """
      INSERT INTO past_strip (strip, until, ended, place, weight, kinds,
        title, height, gap, inset, loop, snap, item_width)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """,
      [
        .integer(former.number), .integer(former.revision), .integer(clock), .integer(place),
        .integer(weight), .text(former.kinds.joined(separator: ",")),
      ] + former.settings.parameters)
    let over =
      try session.run(
        """
        SELECT max(until) FROM (SELECT until, place, weight, ended FROM past_strip WHERE strip = $1
          ORDER BY until LIMIT 8) AS oldest
        WHERE $2 - place >= 63 AND (ended < $4::bigint - 60000000 OR $3 - weight > 64000000)
        """, [.integer(former.number), .integer(place), .integer(weight), .integer(clock)]
      ).first { try $0.optionalInteger(0) } ?? nil
    guard let over else { return }
    let strip = Parameter.integer(former.number)
    try session.run(
      "DELETE FROM past_item WHERE strip = $1 AND until <= $2", [strip, .integer(over)])
    try session.run(
      "DELETE FROM past_strip WHERE strip = $1 AND until <= $2", [strip, .integer(over)])
    // What the layout's rows hold by now, and no held revision is before.
    try session.run(
      "DELETE FROM change WHERE strip = $1 AND revision <= least($2::bigint, $3::bigint)",
      [strip, .integer(over), .integer(former.folded)])
  }
}

extension StripRow {
  /// The strip as it was at a former revision that is held, with the kinds that it had.
  func held(at revision: Int64, _ session: Session) throws -> StripRow? {
    try session.run(
      """
      SELECT title, height, gap, inset, loop, snap, item_width, kinds FROM past_strip
      WHERE strip = $1 AND until = $2
      """, [.integer(number), .integer(revision)]
    ).first { found in
      var row = self
      row.settings = try found.settings(from: 0)
      row.kinds = try found.kinds(7)
      row.revision = revision
      return row
    }
  }

  /// Why a former revision that is not held cannot be had, of those that were this strip's
  /// or an earlier one's of its name.
  ///
  /// Those that are held follow on one another: a number between two of them, or between the last
  /// and the newest, was jumped over when a replacement took its number from the clock. Of a
  /// strip of this name that was removed the last revision alone is known: each number up to that may
  /// have been one of its own.
  func absence(of revision: Int64, _ session: Session) throws -> CatalogueError {
    let bounds = try session.run(
      """
      SELECT (SELECT min(until) FROM past_strip WHERE strip = $1),
        (SELECT revision FROM former WHERE name = $2)
      """, [.integer(number), .text(name)]
    ).first { (oldest: try $0.optionalInteger(0), former: try $0.optionalInteger(1)) }
    let isGone =
      revision < firstRevision
      ? revision <= bounds?.former ?? -1 : revision < bounds?.oldest ?? self.revision
    return isGone ? .revisionGone(revision) : .revisionUnknown(revision)
  }

  /// What became of the layout with each revision after `first` up to `last`, in order.
  func steps(after first: Int64, upTo last: Int64, _ session: Session) throws -> [LayoutStep] {
    try session.run(
      """
      SELECT changes, tail FROM change WHERE strip = $1 AND revision > $2 AND revision <= $3
      ORDER BY revision
      """, [.integer(number), .integer(first), .integer(last)]
    ).map { LayoutStep(try LayoutChanges(bytes: $0.bytes(0)), tail: try $0.optionalInteger(1)) }
  }
}
