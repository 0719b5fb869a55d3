import Items
import SQLCatalogue

/// The tables of a catalogue in the schema `carousel` of a PostgreSQL database: those of every database, and `epoch`. A
/// transaction that changes a strip locks its row.
///
///     epoch     its holder identifies the database that was written last; see `FencingEpoch`
enum Schema: CatalogueSchema {
  /// In the table `version`.
  static let version: Int64 = 11

  /// The advisory lock for making the tables.
  private static let creationLock: Int64 = 7_161_690_892_365_950_316

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

  /// A second caller waits.
  static func make(_ session: PostgresSession, _ address: ConnectionString) throws {
    if try found(session) == nil {
      try session.run("SELECT pg_advisory_xact_lock(\(creationLock))")
      if try found(session) == nil { try session.runScript(sql) }
    }
    try check(session, address)
  }

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

  /// Gives the strips of a restored dump new revisions, in a transaction of its own. See `FencingEpoch`.
  static func claimEpoch(_ session: PostgresSession) throws {
    guard try isEpochRevoked(session) else { return }
    try session.transaction("BEGIN") { try claimEpochInTransaction(session) }
  }

  /// A second caller waits, and finds it done.
  static func claimEpochInTransaction(_ session: PostgresSession) throws {
    guard try isEpochRevoked(session) else { return }
    let holder = SQLValue.text(try epochHolder(of: session))
    guard try session.run("UPDATE epoch SET holder = $1 WHERE holder <> $1", [holder]) > 0 else {
      return
    }
    try session.run("SELECT number FROM strip FOR NO KEY UPDATE")
    try FencingEpoch.claim(session)
  }

  private static func isEpochRevoked(_ session: PostgresSession) throws -> Bool {
    try session.first(
      """
      SELECT holder <> $1 AND NOT CAST(current_setting('transaction_read_only') AS boolean) FROM epoch
      """, [.text(try epochHolder(of: session))]
    ) { try $0.boolean(0) } ?? false
  }

  /// What identifies the database: the cluster and its timeline, if the user may read them, and the number of a table. The
  /// timeline is included because a promoted standby begins a new one: edits that it has not received can have used the
  /// next revisions. A copy of all files of a cluster is not recognized.
  private static func epochHolder(of session: PostgresSession) throws -> String {
    func text(_ sql: String) throws -> String { try session.first(sql) { try $0.text(0) } ?? "" }
    func canRun(_ function: String, _ condition: String) throws -> Bool {
      try session.first(
        """
        SELECT coalesce(has_function_privilege(
          CAST(to_regprocedure('pg_catalog.\(function)') AS oid), 'EXECUTE'), false) AND \(condition)
        """
      ) { try $0.boolean(0) } ?? false
    }
    let cluster =
      try canRun("pg_control_system()", "true")
      ? text("SELECT CAST(system_identifier AS text) FROM pg_control_system()") : ""
    // The name of a file of the log begins with eight digits of the timeline.
    let timeline =
      try canRun("pg_walfile_name(pg_lsn)", "NOT pg_is_in_recovery()")
      ? text("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)") : ""
    let table = try text("SELECT CAST(CAST(CAST('carousel.epoch' AS regclass) AS oid) AS text)")
    return "\(cluster)/\(timeline)/\(table)"
  }

  private static let sql = """
    CREATE SCHEMA IF NOT EXISTS carousel;

    CREATE TABLE carousel.version (number bigint NOT NULL);
    INSERT INTO carousel.version VALUES (\(version));

    CREATE TABLE carousel.epoch (holder text NOT NULL);
    INSERT INTO carousel.epoch VALUES ('');

    CREATE SEQUENCE carousel.number;

    \(tables)
    CREATE INDEX item_history_sort_key ON item_history (strip, sort_key, last_revision);
    CREATE INDEX item_history_id ON item_history (strip, id);
    """

  static let integer = "bigint"
  static let text = #"text COLLATE "C""#
  static let blob = "bytea"
  static let json = "json"
  static let rowNumber = "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
  static let identity = "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
  static let strict = ""
  static let ordered = ""
  static let blobLength = "octet_length"
  static func byteCount(_ column: String) -> String { "octet_length(CAST(\(column) AS text))" }
  static let isName = "name ~ '^[a-z0-9][a-z0-9-]{0,63}$'"
  static func isObject(_ column: String) -> String { "json_typeof(\(column)) = 'object'" }
}
