extension Schema {
  /// What makes version 5 of version 4: rows of the past stand in their indexes by the revision that
  /// they lasted until first. What an edit supersedes, wherever it stood, goes to a few neighbouring
  /// pages then, and who reads a former revision looks once for each that is held since.
  static let fifth = """
    DROP INDEX past_item_position;
    DROP INDEX past_item_id;
    CREATE INDEX past_item_position ON past_item (strip, until, position);
    CREATE INDEX past_item_id ON past_item (strip, until, id);

    PRAGMA user_version = 5;
    """

  /// The rows of the past that say what a strip ?1 was at its revision ?4 or after it.
  static let rowsOfThePast = """
    past_strip AS held CROSS JOIN past_item
    WHERE held.strip = ?1 AND held.until >= ?4
      AND past_item.strip = ?1 AND past_item.until = held.until
    """
}
