import Items

// Finds out whether an id is absent, or a damaged key of the index of ids hides it.
//
//     keys     a3   a7   q9   b2   b5      q9 was a9
//     find b2  compares with q9, goes left, and ends after a7
//
// A damaged key hides its own item, and misleads look-ups of other ids. A look-up ends between two keys of the index. If a
// damaged key has misled it, that key is one of the two. So both are compared with the ids of their rows. If both are
// right, the id is absent.
extension ItemRows {
  /// - Throws: `.corrupt` if a damaged key may hide one of the ids.
  /// - Complexity: O(log *n*) for each, about as much as six look-ups.
  package func confirmAbsence(of ids: [String]) throws {
    // No id has a NUL character, which PostgreSQL rejects.
    let ids = ids.filter { !$0.utf8.contains(0) }
    for statement in Self.faults {
      try session.run(
        statement, forEach: ids.map { [.integer(strip.number), .text($0)] }
      ) { number, row in
        throw CatalogueError.damaged(
          "the index of the ids near \"\(ids[number])\"", of: strip.name,
          "the key \"\((try? row.text(0)) ?? "")\" is not the id of its row", isPublic: true)
      }
    }
  }

  /// Each gives a row if the keys around the strip `$1` and the id `$2` are damaged.
  private static let faults =
    [("<", "DESC", "<", ">="), (">=", "ASC", ">", "<=")].flatMap { side, order, beyond, otherSide in
      let neighbour = """
        FROM item WHERE (strip, id) \(side) ($1, $2) ORDER BY strip \(order), id \(order) LIMIT 1
        """
      return [
        // A key is damaged unless it is the id of its row. SQLite passes over a key without a row if it reads columns of
        // the row. So `neighbour` reads the key alone, `entry` the key and the sort key, and `stored` the row.
        """
        SELECT neighbour.id FROM (SELECT strip, id \(neighbour)) AS neighbour
        LEFT JOIN (SELECT strip, id, sort_key \(neighbour)) AS entry
          ON entry.strip = neighbour.strip AND entry.id = neighbour.id
        LEFT JOIN item AS stored ON stored.strip = entry.strip AND stored.sort_key = entry.sort_key
        WHERE stored.id IS NULL OR stored.id <> neighbour.id
          OR (neighbour.strip, neighbour.id) \(otherSide) ($1, $2)
        """,
        // SQLite reads NULL from a key that is no record. A comparison of two columns passes over it. A comparison of
        // one column stops there.
        """
        SELECT neighbour.id FROM (SELECT 1) AS lookup
        LEFT JOIN (SELECT strip, id \(neighbour)) AS neighbour ON TRUE
        WHERE coalesce((
            SELECT '=' || coalesce(id, '') FROM item WHERE strip = $1 AND id \(side) $2
            ORDER BY id \(order) LIMIT 1), '')
          <> coalesce(CASE WHEN neighbour.strip = $1 THEN '=' || neighbour.id END, '')
        OR coalesce(neighbour.strip, 0) <> $1 AND coalesce((
            SELECT '=' || coalesce(strip, 0) FROM item WHERE strip \(beyond) $1
            ORDER BY strip \(order) LIMIT 1), '')
          <> coalesce('=' || neighbour.strip, '')
        """,
      ]
    }
}
