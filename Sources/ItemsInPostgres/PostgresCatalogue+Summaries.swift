package import Items
import Windowing

extension PostgresCatalogue {
  /// Strips as a list shows them: summed up by the database, so that no layout is read for a list.
  ///
  /// - Complexity: the database reads the items of the strips that are listed.
  package func summaries(
    after: String?, limit: Int, patience: Patience
  ) throws(CatalogueError) -> [StripSummary] {
    let names = try names(after: after, limit: limit, patience: patience)
    return try database.sessions.read { session in
      try session.run(
        """
        SELECT name, title, height, gap, inset, loop, snap, item_width, revision,
          (SELECT string_agg(kind.name, ',' ORDER BY kind.number) FROM kind
            WHERE kind.strip = strip.number),
          total.count, total.aspects, total.widths
        FROM strip, LATERAL (
          SELECT count(*) AS count, coalesce(sum(aspect), 0)::bigint AS aspects,
            coalesce(sum(CASE WHEN aspect IS NULL AND width IS NULL THEN item_width
              ELSE coalesce(width, 0) END), 0)::bigint AS widths
          FROM item WHERE item.strip = strip.number) AS total
        WHERE name = ANY($1) ORDER BY place
        """, [.texts(names)]
      ).map { row in
        try StripSummary(
          name: row.text(0), settings: row.settings(from: 1), revision: row.integer(8),
          totals: Totals(
            count: Int(row.integer(10)), aspectUnits: Int(row.integer(11)),
            widthUnits: Int(row.integer(12))),
          kinds: row.kinds(9))
      }
    }
  }
}
