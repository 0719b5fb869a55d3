import Catalogue

/// Keeps revision numbers unique after a backup is restored.
///
///     original   7 ── 8 ── 9            caches can hold answers at 8 and 9 for a year
///                └─ copy 7 ────── 2000 ── 2001
///
/// A database knows whether it is the original. Before its first change, a restored copy gives each strip a
/// new revision above the clock, with the same content. A number therefore never names two contents.
package enum RestoreGuard {
  /// Makes the next revision of each strip, with the same content. The caller marks the database as an
  /// original in the same transaction. Discards the compactions that were running when the copy was made.
  ///
  /// - Complexity: O(strips), in four statements.
  package static func bumpRevisions(_ session: any SQLSession) throws {
    let clock = SQLValue.integer(try session.clock())
    try session.run(
      """
      INSERT INTO revision (strip, previous, revision, created, ordinal, weight, weight_sum,
        changes, appended_from, kinds, \(StripRow.settingsColumns))
      SELECT number, revision, (CASE WHEN revision > $1 THEN revision ELSE $1 END) + 1, $1,
        coalesce((SELECT max(ordinal) FROM revision AS last WHERE last.strip = strip.number), 0) + 1,
        0, coalesce((SELECT max(weight_sum) FROM revision AS last WHERE last.strip = strip.number), 0),
        $2, NULL, kinds, \(StripRow.settingsColumns)
      FROM strip
      """, [clock, .bytes(LayoutChanges([]).bytes)])
    try session.run(
      """
      UPDATE strip SET revision = (CASE WHEN revision > $1 THEN revision ELSE $1 END) + 1,
        layout_revision = CASE WHEN layout_revision < revision THEN layout_revision
          WHEN revision > $1 THEN revision + 1 ELSE $1 + 1 END
      """, [clock]
    )
    let generations = try session.map("DELETE FROM compaction RETURNING generation") {
      try $0.integer(0)
    }
    for generation in generations { try Purge.add(generation: generation, session) }
    try session.notify([.anything])
  }
}
