import Catalogue

/// What becomes of the strips of a catalogue that was dumped and has been restored, here or elsewhere.
///
///     catalogue   7 ── 8 ── 9           answers at 8 and 9 may be kept for a year by whoever got them
///                 └─ dump 7 ────── 2000 ── 2001
///
/// A catalogue keeps what the place is called where it is at home, which a dump takes along: where it is
/// called something else, each strip goes on above the clock before its first change, so that no number
/// names two contents. A copy of all of PostgreSQL's files has the same home, and is not told from them.
enum Restoration {
  /// Whether the catalogue is not at home, and can be changed.
  static func isDue(_ session: Session) throws -> Bool {
    try session.run(
      """
      SELECT name <> $1 AND NOT current_setting('transaction_read_only')::boolean FROM home
      """, [.text(try home(of: session))]
    ).first { try $0.boolean(0) } ?? false
  }

  /// Makes the next revision of each strip, which says what the former one said, in the caller's
  /// transaction; to be called by whoever is going to change strips, before.
  ///
  /// - Complexity: O(strips).
  static func goOn(_ session: Session) throws {
    // Who comes second waits, and finds it done.
    let isFirst =
      try session.run(
        "UPDATE home SET name = $1 WHERE name <> $1 RETURNING name",
        [.text(try home(of: session))]
      ).first { _ in true } ?? false
    guard isFirst else { return }
    try session.run("SELECT number FROM strip FOR NO KEY UPDATE")
    let clock = Parameter.integer(try session.clock())
    try session.run(
      """
      INSERT INTO past_strip (strip, until, ended, place, weight, kinds,
        title, height, gap, inset, loop, snap, item_width)
      SELECT strip.number, revision, $1, coalesce(last.place, 0) + 1, coalesce(last.weight, 0),
        coalesce((SELECT string_agg(kind.name, ',' ORDER BY kind.number) FROM kind
          WHERE kind.strip = strip.number), ''),
        title, height, gap, inset, loop, snap, item_width
      FROM strip LEFT JOIN LATERAL (
        SELECT place, weight FROM past_strip WHERE past_strip.strip = strip.number
        ORDER BY until DESC LIMIT 1) AS last ON true
      """, [clock])
    try session.run("UPDATE strip SET revision = greatest(revision, $1) + 1", [clock])
    try session.run("SELECT pg_notify('carousel', name) FROM strip")
  }

  /// The number that the database's cluster was given when it was made, as far as it tells, and the
  /// one that a table of the catalogue got in it.
  private static func home(of session: Session) throws -> String {
    let tells =
      try session.run(
        """
        SELECT coalesce(has_function_privilege(
          to_regprocedure('pg_catalog.pg_control_system()')::oid, 'EXECUTE'), false)
        """
      ).first { try $0.boolean(0) } ?? false
    let cluster =
      tells
      ? try session.run("SELECT system_identifier::text FROM pg_control_system()")
        .first { try $0.text(0) } : nil
    let table = try session.run("SELECT 'carousel.home'::regclass::oid::text")
      .first { try $0.text(0) }
    return "\(cluster ?? "")/\(table ?? "")"
  }
}
