import Catalogue
import Foundation
import GRDB

/// What a database of ours looks like, and how one is told from another.
///
///     strip   one row a strip: its settings, its revision, and the sums over its items
///     kind    the kinds of a strip, by number
///     item    the items of a strip lie together in their order, so that a window is one range read
///     layout  the same items again, only sizes, kinds and groups, packed a thousand a row: what a
///             server reads when it starts
///     change  what the layout came to be with each revision: the rows of `layout` are brought up
///             to date later, and hold all up to the revision that `folded` says
///
///     past_strip, past_item
///             what these were at revisions that are held; see `RevisionWriter`
///     former  the last revision of a strip that is gone, for its name's next one
///     forgotten
///             rows that nobody needs any more and that are deleted a few at a time: a range of
///             `past_item`, or all of a strip that is gone
///     token   who may change or read which strip; `once` the changes that are made once
///
/// Positions leave gaps, so that an item put between two others moves neither. A strip's number is
/// never used again: rows of a strip that was replaced cannot be taken for those of its successor.
enum Schema {
  /// The version of the schema; a database says its own in `user_version`.
  static let version = 6

  /// `carl`, in ASCII: how a database says that it is one of ours.
  static let applicationID = 0x6361_726C

  /// In bytes: some twenty items of a museum's catalogue, or one with two screens of text, unsplit.
  static let pageSize = 8192

  /// What makes a new database.
  static let sql = """
    CREATE TABLE strip (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
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
      first_revision INTEGER NOT NULL,
      revision INTEGER NOT NULL CHECK (revision >= first_revision),
      folded INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE kind (
      strip INTEGER NOT NULL,
      number INTEGER NOT NULL CHECK (number BETWEEN 0 AND 63),
      name TEXT NOT NULL CHECK (
        length(name) BETWEEN 1 AND 32 AND name GLOB '[a-z]*' AND name NOT GLOB '*[^a-z0-9-]*'),
      PRIMARY KEY (strip, number),
      UNIQUE (strip, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE item (
      strip INTEGER NOT NULL,
      position INTEGER NOT NULL,
      id TEXT NOT NULL CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 256),
      kind INTEGER NOT NULL,
      aspect INTEGER CHECK (aspect BETWEEN 0 AND 1000 * 65536),
      width INTEGER CHECK (width BETWEEN 0 AND 100000 * 64),
      "group" TEXT CHECK (length(CAST("group" AS BLOB)) <= 1024),
      fields TEXT NOT NULL CHECK (
        length(CAST(fields AS BLOB)) <= 65536 AND json_valid(fields) AND fields GLOB '{*}'),
      PRIMARY KEY (strip, position),
      UNIQUE (strip, id),
      FOREIGN KEY (strip, kind) REFERENCES kind
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE layout (
      strip INTEGER NOT NULL,
      position INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count > 0),
      step INTEGER NOT NULL CHECK (step > 0),
      sizes BLOB NOT NULL CHECK (length(sizes) = 8 * count),
      groups BLOB,
      positions BLOB CHECK (length(positions) = 8 * count),
      PRIMARY KEY (strip, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE former (
      name TEXT PRIMARY KEY,
      revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE once (
      strip TEXT NOT NULL,
      key BLOB NOT NULL,
      body BLOB NOT NULL,
      revision INTEGER NOT NULL,
      made INTEGER NOT NULL,
      PRIMARY KEY (strip, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX once_made ON once (made);

    CREATE TABLE token (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      strip TEXT NOT NULL,
      made INTEGER NOT NULL,
      expires INTEGER,
      only_reads INTEGER NOT NULL DEFAULT 0 CHECK (only_reads IN (0, 1))
    ) STRICT;

    """ + past + """
      PRAGMA application_id = \(applicationID);

      """ + fourth + fifth + sixth + "UPDATE changes SET is_copy = 0;"

  /// The tables of the past and of changes, which came with version 3.
  static let past = """
    CREATE TABLE change (
      strip INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      count INTEGER NOT NULL,
      changes BLOB NOT NULL,
      tail INTEGER,
      PRIMARY KEY (strip, revision)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE past_strip (
      strip INTEGER NOT NULL,
      until INTEGER NOT NULL,
      ended INTEGER NOT NULL,
      place INTEGER NOT NULL,
      weight INTEGER NOT NULL,
      kinds TEXT NOT NULL,
      first_item INTEGER,
      last_item INTEGER,
      title TEXT NOT NULL,
      height INTEGER NOT NULL,
      gap INTEGER NOT NULL,
      inset INTEGER NOT NULL,
      loop INTEGER NOT NULL,
      snap TEXT NOT NULL,
      item_width INTEGER NOT NULL,
      PRIMARY KEY (strip, until)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE past_item (
      number INTEGER PRIMARY KEY,
      strip INTEGER NOT NULL,
      position INTEGER NOT NULL,
      until INTEGER NOT NULL,
      id TEXT NOT NULL,
      kind INTEGER NOT NULL,
      aspect INTEGER,
      width INTEGER,
      "group" TEXT,
      fields TEXT NOT NULL
    ) STRICT;
    CREATE INDEX past_item_position ON past_item (strip, position, until);
    CREATE INDEX past_item_id ON past_item (strip, id);

    CREATE TABLE forgotten (
      number INTEGER PRIMARY KEY,
      strip INTEGER NOT NULL,
      first INTEGER,
      last INTEGER
    ) STRICT;

    PRAGMA user_version = 3;

    """

  /// Makes sure that a database is one of ours, and of a version that this program knows.
  ///
  /// - Returns: whether it is of this very version, and not of an older one.
  /// - Throws: `.unavailable`, with a sentence that says which of both it is not.
  @discardableResult
  static func check(_ db: Database, path: String) throws -> Bool {
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
      throw CatalogueError.unavailable("\(path) is a database, but not one of carousel")
    }
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard found <= version else {
      throw CatalogueError.unavailable(
        "\(path) is of version \(found), this carousel knows no later than \(version): "
          + "use the newer program that made it")
    }
    return found == version
  }
}
