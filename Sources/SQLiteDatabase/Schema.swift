import Catalogue
import GRDB

/// The tables of a catalogue in a SQLite file.
///
///     strip     one row a strip: settings, revisions, totals, the current generation of its layout
///     item      the items of a strip in order, so that a window is one range read
///     past_item superseded rows; `last_revision` is the last that had them
///     layout    sizes, kinds and groups of the items, packed a thousand a row, in generations
///     stored_columns
///               the columns that views read, in generations; see `ColumnStore`
///     revision  how each revision followed the one before it
///     compaction, purge
///               generations being written, and rows to delete
///     list      the stored lists that views are made of
///     notice    the latest changes, for other processes; see `ChangeObserver`
enum Schema {
  /// The version of the schema, in `user_version`.
  static let version = 2

  /// `carl` in ASCII, in `application_id`: marks a database of carousel.
  static let applicationID = 0x6361_726C

  /// In bytes. A page holds about twenty items of a museum's catalogue, or one with two screens of text.
  static let pageSize = 8192

  /// Makes sure that a database is one of carousel, of this version.
  ///
  /// - Throws: `.unavailable`, with a sentence that says why not.
  static func check(_ db: Database, path: String) throws {
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
      throw CatalogueError.unavailable("\(path) is a database, but not one of carousel")
    }
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard found == version else {
      throw CatalogueError.unavailable(
        "\(path) has schema version \(found). This carousel reads version \(version). "
          + "Import the data again, or use the carousel that wrote the file.")
    }
  }

  /// Whether a database is a copy without a change of its own.
  static func isCopy(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT is_copy FROM catalogue") ?? false
  }

  static func markCopy(_ db: Database) throws {
    try db.execute(sql: "UPDATE catalogue SET is_copy = 1")
  }

  static func markOriginal(_ db: Database) throws {
    try db.execute(sql: "UPDATE catalogue SET is_copy = 0")
  }

  /// Makes the tables of a new database.
  static let sql = """
    CREATE TABLE catalogue (
      last_number INTEGER NOT NULL,
      is_copy INTEGER NOT NULL CHECK (is_copy IN (0, 1))
    ) STRICT;
    INSERT INTO catalogue VALUES (0, 0);

    CREATE TABLE strip (
      number INTEGER PRIMARY KEY,
      place INTEGER NOT NULL UNIQUE,
      name TEXT NOT NULL UNIQUE CHECK (
        length(name) BETWEEN 1 AND 64 AND name GLOB '[a-z0-9]*' AND name NOT GLOB '*[^a-z0-9-]*'),
      title TEXT NOT NULL CHECK (length(CAST(title AS BLOB)) <= 1024),
      height INTEGER NOT NULL CHECK (height BETWEEN 16 * 64 AND 16384 * 64),
      gap INTEGER NOT NULL CHECK (gap BETWEEN 0 AND 65536 * 64),
      inset INTEGER NOT NULL CHECK (inset BETWEEN 0 AND 65536 * 64),
      loop INTEGER NOT NULL CHECK (loop IN (0, 1)),
      snap TEXT NOT NULL CHECK (snap IN ('none', 'start', 'center', 'end')),
      item_width INTEGER NOT NULL CHECK (item_width BETWEEN 0 AND 100000 * 64),
      filterable TEXT NOT NULL DEFAULT '[]' CHECK (
        json_valid(filterable) AND json_array_length(filterable) <= 32),
      searchable TEXT NOT NULL DEFAULT '[]' CHECK (
        json_valid(searchable) AND json_array_length(searchable) <= 8),
      kinds TEXT NOT NULL DEFAULT '',
      first_revision INTEGER NOT NULL,
      revision INTEGER NOT NULL CHECK (revision >= first_revision),
      oldest_revision INTEGER NOT NULL CHECK (oldest_revision <= revision),
      generation INTEGER NOT NULL,
      layout_revision INTEGER NOT NULL CHECK (layout_revision <= revision),
      uncompacted_changes INTEGER NOT NULL DEFAULT 0,
      last_position INTEGER NOT NULL DEFAULT 0,
      count INTEGER NOT NULL DEFAULT 0,
      aspects INTEGER NOT NULL DEFAULT 0,
      widths INTEGER NOT NULL DEFAULT 0,
      bare INTEGER NOT NULL DEFAULT 0,
      kind_counts TEXT NOT NULL DEFAULT '',
      columns_generation INTEGER,
      columns_revision INTEGER CHECK (columns_revision <= revision)
    ) STRICT;

    CREATE TABLE item (
      strip INTEGER NOT NULL,
      position INTEGER NOT NULL,
      first_revision INTEGER NOT NULL,
      id TEXT NOT NULL CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 256),
      kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 63),
      aspect INTEGER CHECK (aspect BETWEEN 0 AND 1000 * 65536),
      width INTEGER CHECK (width BETWEEN 0 AND 100000 * 64),
      "group" TEXT CHECK (length(CAST("group" AS BLOB)) <= 1024),
      fields TEXT NOT NULL CHECK (
        length(CAST(fields AS BLOB)) <= 65536 AND json_valid(fields) AND fields GLOB '{*}'),
      PRIMARY KEY (strip, position),
      UNIQUE (strip, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE past_item (
      strip INTEGER NOT NULL,
      last_revision INTEGER NOT NULL CHECK (last_revision >= first_revision),
      position INTEGER NOT NULL,
      first_revision INTEGER NOT NULL,
      id TEXT NOT NULL,
      kind INTEGER NOT NULL,
      aspect INTEGER,
      width INTEGER,
      "group" TEXT,
      fields TEXT NOT NULL,
      PRIMARY KEY (strip, last_revision, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX past_item_id ON past_item (strip, last_revision, id);

    CREATE TABLE layout (
      generation INTEGER NOT NULL,
      position INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count > 0),
      step INTEGER NOT NULL CHECK (step > 0),
      sizes BLOB NOT NULL CHECK (length(sizes) = 8 * count),
      groups BLOB,
      positions BLOB CHECK (length(positions) = 8 * count),
      PRIMARY KEY (generation, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE stored_columns (
      generation INTEGER NOT NULL,
      position INTEGER NOT NULL,
      data BLOB NOT NULL,
      PRIMARY KEY (generation, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE revision (
      strip INTEGER NOT NULL,
      previous INTEGER NOT NULL,
      revision INTEGER NOT NULL CHECK (revision > previous),
      created INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      weight INTEGER NOT NULL,
      weight_sum INTEGER NOT NULL,
      changes BLOB NOT NULL,
      appended_from INTEGER,
      kinds TEXT NOT NULL,
      title TEXT NOT NULL,
      height INTEGER NOT NULL,
      gap INTEGER NOT NULL,
      inset INTEGER NOT NULL,
      loop INTEGER NOT NULL,
      snap TEXT NOT NULL,
      item_width INTEGER NOT NULL,
      filterable TEXT NOT NULL DEFAULT '[]',
      searchable TEXT NOT NULL DEFAULT '[]',
      PRIMARY KEY (strip, previous)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE compaction (
      generation INTEGER PRIMARY KEY,
      strip INTEGER NOT NULL,
      last_step INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE purge (
      number INTEGER PRIMARY KEY,
      strip INTEGER,
      last_revision INTEGER,
      generation INTEGER
    ) STRICT;

    CREATE TABLE removed_strip (
      name TEXT PRIMARY KEY,
      revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE idempotency_key (
      strip TEXT NOT NULL,
      key BLOB NOT NULL,
      body BLOB NOT NULL,
      revision INTEGER NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (strip, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotency_key_created ON idempotency_key (created);

    CREATE TABLE list (
      strip TEXT NOT NULL,
      name TEXT NOT NULL,
      ids BLOB NOT NULL,
      used INTEGER NOT NULL,
      PRIMARY KEY (strip, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX list_used ON list (used);

    CREATE TABLE token (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      strip TEXT NOT NULL,
      allows TEXT NOT NULL CHECK (allows IN ('changes', 'lists', 'reads')),
      created INTEGER NOT NULL,
      expires INTEGER
    ) STRICT;

    CREATE TABLE notice (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL
    ) STRICT;

    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    """
}
