import Catalogue
import SQLCatalogue

/// The tables of a catalogue in a PostgreSQL database, in a schema `carousel` of their own.
///
///     strip     one row a strip: settings, revisions, totals, the current generation of its layout. A
///               transaction that changes a strip locks its row
///     item      the items of a strip by position; `first_revision` is the revision that wrote the row
///     past_item superseded rows; `last_revision` is the last that had them
///     layout    sizes, kinds and groups of the items, packed a thousand a row, in generations
///     stored_columns
///               the columns that views read, in generations; see `ColumnStore`
///     revision  how each revision followed the one before it
///     compaction, purge
///               generations being written, and rows to delete
///     origin    identifies the place where the catalogue was written last; see `RestoreGuard`
enum Schema {
  /// The version of the schema, in the table `version`.
  static let version: Int64 = 2

  /// The advisory lock of a transaction that makes the tables.
  private static let creationLock: Int64 = 7_161_690_892_365_950_316

  /// - Throws: `.unavailable` if the database holds no catalogue of this version.
  static func check(_ session: PostgresSession, _ address: ConnectionString) throws {
    guard let found = try found(session) else {
      throw CatalogueError.unavailable(
        "\(address) holds no catalogue; \"carousel import\" makes one")
    }
    guard found == version else {
      throw CatalogueError.unavailable(
        "\(address) has schema version \(found). This carousel reads version \(version). "
          + "Drop its schema \"carousel\" and import the data again, or use the carousel that wrote it."
      )
    }
  }

  /// Makes the tables if there are none, in the caller's transaction. A second caller waits.
  static func make(_ session: PostgresSession, _ address: ConnectionString) throws {
    if try found(session) == nil {
      try session.run("SELECT pg_advisory_xact_lock(\(creationLock))")
      if try found(session) == nil { try session.runScript(sql) }
    }
    try check(session, address)
  }

  /// Whether the database holds a catalogue.
  ///
  /// - Throws: `.unavailable` for a catalogue of another version.
  static func exists(_ session: PostgresSession, _ address: ConnectionString) throws -> Bool {
    guard try found(session) != nil else { return false }
    try check(session, address)
    return true
  }

  private static func found(_ session: PostgresSession) throws -> Int64? {
    let exists = try session.first("SELECT to_regclass('carousel.version') IS NOT NULL") {
      try $0.boolean(0)
    }
    guard exists == true else { return nil }
    return try session.first("SELECT number FROM carousel.version") { try $0.integer(0) }
  }

  // MARK: - Restored dumps

  /// Gives the strips of a restored dump new revisions, in a transaction of its own; does nothing if the
  /// catalogue was written here. See `RestoreGuard`.
  static func becomeOriginal(_ session: PostgresSession) throws {
    guard try isCopy(session) else { return }
    try session.transaction("BEGIN") { try becomeOriginalInTransaction(session) }
  }

  /// The same, in the caller's transaction. A second caller waits, and finds it done.
  static func becomeOriginalInTransaction(_ session: PostgresSession) throws {
    guard try isCopy(session) else { return }
    let origin = SQLValue.text(try origin(of: session))
    guard try session.run("UPDATE origin SET name = $1 WHERE name <> $1", [origin]) > 0 else {
      return
    }
    try session.run("SELECT number FROM strip FOR NO KEY UPDATE")
    try RestoreGuard.bumpRevisions(session)
  }

  private static func isCopy(_ session: PostgresSession) throws -> Bool {
    try session.first(
      """
      SELECT name <> $1 AND NOT CAST(current_setting('transaction_read_only') AS boolean) FROM origin
      """, [.text(try origin(of: session))]
    ) { try $0.boolean(0) } ?? false
  }

  /// The number of the database's cluster and its timeline, if the user may read them, and the number of a
  /// table in it. A standby that is promoted begins a timeline: edits that it has not received can have
  /// used the next revisions. Another copy of all files of a cluster has the same numbers, and is not
  /// recognized.
  private static func origin(of session: PostgresSession) throws -> String {
    let canRead =
      try session.first(
        """
        SELECT coalesce(has_function_privilege(
          CAST(to_regprocedure('pg_catalog.pg_control_system()') AS oid), 'EXECUTE'), false)
        """, [], { try $0.boolean(0) }) ?? false
    let cluster =
      canRead
      ? try session.first("SELECT CAST(system_identifier AS text) FROM pg_control_system()") {
        try $0.text(0)
      } : nil
    // The name of a file of the log begins with eight digits of the timeline.
    let canReadTimeline =
      try session.first(
        """
        SELECT coalesce(has_function_privilege(
          CAST(to_regprocedure('pg_catalog.pg_walfile_name(pg_lsn)') AS oid), 'EXECUTE'), false)
          AND NOT pg_is_in_recovery()
        """, [], { try $0.boolean(0) }) ?? false
    let timeline =
      canReadTimeline
      ? try session.first("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)") {
        try $0.text(0)
      } : nil
    let table = try session.first(
      "SELECT CAST(CAST(CAST('carousel.origin' AS regclass) AS oid) AS text)"
    ) { try $0.text(0) }
    return "\(cluster ?? "")/\(timeline ?? "")/\(table ?? "")"
  }

  private static let sql = """
    CREATE SCHEMA IF NOT EXISTS carousel;

    CREATE TABLE carousel.version (number bigint NOT NULL);
    INSERT INTO carousel.version VALUES (\(version));

    CREATE TABLE carousel.origin (name text NOT NULL);
    INSERT INTO carousel.origin VALUES ('');

    CREATE SEQUENCE carousel.number;

    CREATE TABLE carousel.strip (
      number bigint PRIMARY KEY,
      place bigint NOT NULL UNIQUE,
      name text COLLATE "C" NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
      title text COLLATE "C" NOT NULL CHECK (octet_length(title) <= 1024),
      height bigint NOT NULL CHECK (height BETWEEN 16 * 64 AND 16384 * 64),
      gap bigint NOT NULL CHECK (gap BETWEEN 0 AND 65536 * 64),
      inset bigint NOT NULL CHECK (inset BETWEEN 0 AND 65536 * 64),
      loop bigint NOT NULL CHECK (loop IN (0, 1)),
      snap text COLLATE "C" NOT NULL CHECK (snap IN ('none', 'start', 'center', 'end')),
      item_width bigint NOT NULL CHECK (item_width BETWEEN 0 AND 100000 * 64),
      filterable text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (
        json_array_length(filterable::json) <= 32),
      searchable text COLLATE "C" NOT NULL DEFAULT '[]' CHECK (
        json_array_length(searchable::json) <= 8),
      kinds text COLLATE "C" NOT NULL DEFAULT '',
      first_revision bigint NOT NULL,
      revision bigint NOT NULL CHECK (revision >= first_revision),
      oldest_revision bigint NOT NULL CHECK (oldest_revision <= revision),
      generation bigint NOT NULL,
      layout_revision bigint NOT NULL CHECK (layout_revision <= revision),
      uncompacted_changes bigint NOT NULL DEFAULT 0,
      last_position bigint NOT NULL DEFAULT 0,
      count bigint NOT NULL DEFAULT 0,
      aspects bigint NOT NULL DEFAULT 0,
      widths bigint NOT NULL DEFAULT 0,
      bare bigint NOT NULL DEFAULT 0,
      kind_counts text COLLATE "C" NOT NULL DEFAULT '',
      columns_generation bigint,
      columns_revision bigint CHECK (columns_revision <= revision)
    );

    CREATE TABLE carousel.item (
      strip bigint NOT NULL,
      position bigint NOT NULL,
      first_revision bigint NOT NULL,
      kind bigint NOT NULL CHECK (kind BETWEEN 0 AND 63),
      aspect bigint CHECK (aspect BETWEEN 0 AND 1000 * 65536),
      width bigint CHECK (width BETWEEN 0 AND 100000 * 64),
      id text COLLATE "C" NOT NULL CHECK (octet_length(id) BETWEEN 1 AND 256),
      "group" text COLLATE "C" CHECK (octet_length("group") <= 1024),
      fields json NOT NULL CHECK (
        octet_length(fields::text) <= 65536 AND json_typeof(fields) = 'object'),
      PRIMARY KEY (strip, position),
      UNIQUE (strip, id)
    );

    CREATE TABLE carousel.past_item (
      strip bigint NOT NULL,
      last_revision bigint NOT NULL CHECK (last_revision >= first_revision),
      position bigint NOT NULL,
      first_revision bigint NOT NULL,
      kind bigint NOT NULL,
      aspect bigint,
      width bigint,
      id text COLLATE "C" NOT NULL,
      "group" text COLLATE "C",
      fields json NOT NULL,
      PRIMARY KEY (strip, last_revision, position)
    );
    CREATE INDEX past_item_position ON carousel.past_item (strip, position, last_revision);
    CREATE INDEX past_item_id ON carousel.past_item (strip, id);

    CREATE TABLE carousel.layout (
      generation bigint NOT NULL,
      position bigint NOT NULL,
      count bigint NOT NULL CHECK (count > 0),
      step bigint NOT NULL CHECK (step > 0),
      sizes bytea NOT NULL CHECK (octet_length(sizes) = 8 * count),
      groups bytea,
      positions bytea CHECK (octet_length(positions) = 8 * count),
      PRIMARY KEY (generation, position)
    );

    CREATE TABLE carousel.stored_columns (
      generation bigint NOT NULL,
      position bigint NOT NULL,
      data bytea NOT NULL,
      PRIMARY KEY (generation, position)
    );
    ALTER TABLE carousel.stored_columns ALTER data SET STORAGE EXTERNAL;

    CREATE TABLE carousel.revision (
      strip bigint NOT NULL,
      previous bigint NOT NULL,
      revision bigint NOT NULL CHECK (revision > previous),
      created bigint NOT NULL,
      ordinal bigint NOT NULL,
      weight bigint NOT NULL,
      weight_sum bigint NOT NULL,
      changes bytea NOT NULL,
      appended_from bigint,
      kinds text COLLATE "C" NOT NULL,
      title text COLLATE "C" NOT NULL,
      height bigint NOT NULL,
      gap bigint NOT NULL,
      inset bigint NOT NULL,
      loop bigint NOT NULL,
      snap text COLLATE "C" NOT NULL,
      item_width bigint NOT NULL,
      filterable text COLLATE "C" NOT NULL DEFAULT '[]',
      searchable text COLLATE "C" NOT NULL DEFAULT '[]',
      PRIMARY KEY (strip, previous)
    );

    CREATE TABLE carousel.compaction (
      generation bigint PRIMARY KEY,
      strip bigint NOT NULL,
      last_step bigint NOT NULL
    );

    CREATE TABLE carousel.purge (
      number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      strip bigint,
      last_revision bigint,
      generation bigint
    );

    CREATE TABLE carousel.removed_strip (
      name text COLLATE "C" PRIMARY KEY,
      revision bigint NOT NULL
    );

    CREATE TABLE carousel.idempotency_key (
      strip text COLLATE "C" NOT NULL,
      key bytea NOT NULL,
      body bytea NOT NULL,
      revision bigint NOT NULL,
      created bigint NOT NULL,
      PRIMARY KEY (strip, key)
    );
    CREATE INDEX idempotency_key_created ON carousel.idempotency_key (created);

    CREATE TABLE carousel.list (
      strip text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      ids bytea NOT NULL,
      used bigint NOT NULL,
      PRIMARY KEY (strip, name)
    );
    CREATE INDEX list_used ON carousel.list (used);

    CREATE TABLE carousel.token (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
      strip text COLLATE "C" NOT NULL,
      allows text COLLATE "C" NOT NULL CHECK (allows IN ('changes', 'lists', 'reads')),
      created bigint NOT NULL,
      expires bigint
    );
    """
}
