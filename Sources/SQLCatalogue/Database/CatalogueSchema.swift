package import Items

/// The tables that a catalogue has in every database: `Documentation/Storage.md` explains them.
///
/// Rows of `strip`, `item`, `item_history`, `layout` and `revision` have a `RowChecksum`. `layout` has the
/// geometry of strips: see `GeometryChunk`.
package protocol CatalogueSchema {
  static var integer: String { get }
  static var text: String { get }
  static var blob: String { get }
  static var json: String { get }
  /// A primary key that the database numbers. `identity` never uses a number twice.
  static var rowNumber: String { get }
  static var identity: String { get }

  /// The end of a table's definition. An `ordered` table stores its rows in the order of their keys. To compare a key there,
  /// SQLite reads the whole row. The rows of `list` and `idempotency_key` are large, so these tables are `strict` only.
  static var strict: String { get }
  static var ordered: String { get }

  static var blobLength: String { get }
  static func byteCount(_ column: String) -> String
  static var isName: String { get }
  static func isObject(_ column: String) -> String
}

extension CatalogueSchema {
  package static var version: Int { 11 }

  /// The error for a database that another version of the program wrote, with the commands that bring its items over.
  package static func otherVersion(_ found: Int, of database: String) -> CatalogueError {
    .unavailable(
      "\(database) has schema version \(found). This carousel reads version \(version). Import the "
        + "data again into a new database: carousel import FILE --database NEW --strip NAME. If you "
        + "have no FILE, let the carousel that wrote the database make it: carousel export --database "
        + "\(database) --strip NAME > NAME.jsonl")
  }

  package static var tables: String {
    """
    CREATE TABLE strip (
      number \(integer) PRIMARY KEY,
      place \(integer) NOT NULL UNIQUE,
      name \(text) NOT NULL UNIQUE CHECK (
        \(isName)),
      settings \(json) NOT NULL CHECK (\(isObject("settings"))),
      kinds \(text) NOT NULL,
      first_revision \(integer) NOT NULL,
      revision \(integer) NOT NULL CHECK (revision >= first_revision),
      oldest_revision \(integer) NOT NULL CHECK (oldest_revision <= revision),
      generation \(integer) NOT NULL,
      layout_revision \(integer) NOT NULL CHECK (layout_revision <= revision),
      uncompacted_changes \(integer) NOT NULL,
      last_sort_key \(integer) NOT NULL,
      count \(integer) NOT NULL,
      aspects \(integer) NOT NULL,
      widths \(integer) NOT NULL,
      unsized \(integer) NOT NULL,
      kind_counts \(text) NOT NULL,
      checksum \(integer) NOT NULL
    )\(strict);

    CREATE TABLE item (
      strip \(integer) NOT NULL,
      \(itemColumns(checked: true)),
      PRIMARY KEY (strip, sort_key),
      UNIQUE (strip, id)
    )\(ordered);

    CREATE TABLE item_history (
      strip \(integer) NOT NULL,
      last_revision \(integer) NOT NULL CHECK (last_revision >= first_revision),
      \(itemColumns(checked: false)),
      PRIMARY KEY (strip, last_revision, sort_key)
    )\(ordered);

    CREATE TABLE layout (
      generation \(integer) NOT NULL,
      sort_key \(integer) NOT NULL,
      count \(integer) NOT NULL CHECK (count > 0),
      step \(integer) NOT NULL CHECK (step > 0),
      sizes \(blob) NOT NULL CHECK (\(blobLength)(sizes) = 8 * count),
      groups \(blob),
      sort_keys \(blob) CHECK (\(blobLength)(sort_keys) = 8 * count),
      checksum \(integer) NOT NULL,
      PRIMARY KEY (generation, sort_key)
    )\(ordered);

    CREATE TABLE revision (
      strip \(integer) NOT NULL,
      previous \(integer) NOT NULL,
      revision \(integer) NOT NULL CHECK (revision > previous),
      created \(integer) NOT NULL,
      ordinal \(integer) NOT NULL,
      weight \(integer) NOT NULL,
      weight_sum \(integer) NOT NULL,
      changes \(blob) NOT NULL,
      appended_from \(integer),
      kinds \(text) NOT NULL,
      settings \(json) NOT NULL,
      checksum \(integer) NOT NULL,
      PRIMARY KEY (strip, previous)
    )\(ordered);

    CREATE TABLE compaction (
      generation \(integer) PRIMARY KEY,
      strip \(integer) NOT NULL,
      last_step \(integer) NOT NULL
    )\(strict);

    CREATE TABLE garbage (
      number \(rowNumber),
      strip \(integer),
      last_revision \(integer),
      generation \(integer)
    )\(strict);

    CREATE TABLE removed_strip (
      name \(text) PRIMARY KEY,
      revision \(integer) NOT NULL
    )\(ordered);

    CREATE TABLE idempotency_key (
      strip \(text) NOT NULL,
      key \(blob) NOT NULL,
      body \(blob) NOT NULL,
      revision \(integer) NOT NULL,
      created \(integer) NOT NULL,
      PRIMARY KEY (strip, key)
    )\(strict);
    CREATE INDEX idempotency_key_created ON idempotency_key (created);

    CREATE TABLE list (
      strip \(text) NOT NULL,
      name \(text) NOT NULL,
      ids \(blob) NOT NULL,
      used \(integer) NOT NULL,
      PRIMARY KEY (strip, name)
    )\(strict);
    CREATE INDEX list_used ON list (used);

    CREATE TABLE token (
      number \(identity),
      digest \(blob) NOT NULL UNIQUE CHECK (\(blobLength)(digest) = 32),
      strip \(text) NOT NULL,
      allows \(text) NOT NULL CHECK (allows IN ('changes', 'lists', 'reads')),
      created \(integer) NOT NULL,
      expires \(integer)
    )\(strict);
    """
  }

  /// See `ItemColumn`.
  private static func itemColumns(checked: Bool) -> String {
    func column(_ definition: String, _ check: String) -> String {
      checked ? "\(definition) CHECK (\(check))" : definition
    }
    return [
      "sort_key \(integer) NOT NULL", "first_revision \(integer) NOT NULL",
      "checksum \(integer) NOT NULL",
      column("id \(text) NOT NULL", "\(byteCount("id")) BETWEEN 1 AND 256"),
      column("kind \(integer) NOT NULL", "kind BETWEEN 0 AND 63"),
      column("aspect \(integer)", "aspect BETWEEN 0 AND 1000 * 65536"),
      column("width \(integer)", "width BETWEEN 0 AND 100000 * 64"),
      column("\"group\" \(text)", "\(byteCount("\"group\"")) <= 1024"),
      column(
        "fields \(json) NOT NULL", "\(byteCount("fields")) <= 65536 AND \(isObject("fields"))"),
    ].joined(separator: ",\n      ")
  }
}
