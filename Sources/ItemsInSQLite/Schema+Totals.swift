extension Schema {
  /// What makes version 4 of version 3: the sums over a strip's items, and a number for each change,
  /// so that whoever lists or follows many strips reads none of them whole.
  ///
  ///     strip.count, aspects, widths, bare   see `StripTotals`
  ///     strip.changed, former.changed        which change was the last; see `Changes`
  ///     strip_unfolded                       the strips that `Upkeep` has to look at
  static let fourth = """
    ALTER TABLE strip ADD COLUMN count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE strip ADD COLUMN aspects INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE strip ADD COLUMN widths INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE strip ADD COLUMN bare INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE strip ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX strip_changed ON strip (changed);
    CREATE INDEX strip_unfolded ON strip (number) WHERE folded < revision;
    ALTER TABLE former ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX former_changed ON former (changed);
    CREATE TABLE changes (last INTEGER NOT NULL) STRICT;
    INSERT INTO changes VALUES (0);
    UPDATE strip SET (count, aspects, widths, bare) = (
      SELECT count(*), ifnull(sum(aspect), 0), ifnull(sum(width), 0),
        count(*) FILTER (WHERE aspect IS NULL AND width IS NULL)
      FROM item WHERE item.strip = strip.number);

    PRAGMA user_version = 4;
    """

  /// What makes version 6 of version 5: how many items there are of each kind, and whether a database is
  /// a copy. A kind of none gives its number to a new one, and is not listed.
  ///
  ///     strip.kind_counts   see `StripTotals.kindText`
  ///     changes.is_copy     see `Restoration`
  static let sixth = """
    ALTER TABLE strip ADD COLUMN kind_counts TEXT NOT NULL DEFAULT '';
    UPDATE strip SET kind_counts = (
      SELECT ifnull(group_concat(kind || ':' || count), '')
      FROM (SELECT kind, count(*) AS count FROM item WHERE item.strip = strip.number GROUP BY kind));
    ALTER TABLE changes ADD COLUMN is_copy INTEGER NOT NULL DEFAULT 0 CHECK (is_copy IN (0, 1));
    UPDATE changes SET is_copy = 1;

    PRAGMA user_version = 6;
    """
}
