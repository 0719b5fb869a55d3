import GRDB
import Items
import SQLCatalogue

/// The tables of a catalogue in a SQLite file: those of every database, and these.
///
///     catalogue one row: the last number of a strip or a generation, and whether the file is a copy
///     outbox    the latest changes, for other processes; see `ChangeObserver`
enum Schema: CatalogueSchema {
  /// `carl` in ASCII, in `application_id`.
  static let applicationID = 0x6361_726C

  /// In bytes. A page holds about twenty items of a museum's catalogue, or one with two screens of text.
  static let pageSize = 8192

  /// - Throws: `.unavailable` unless the database is a catalogue of this version.
  static func check(_ db: Database, path: String) throws {
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
      throw CatalogueError.unavailable("\(path) is a database, but not one of carousel")
    }
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard found == version else { throw otherVersion(found, of: path) }
  }

  /// Whether a database is a copy without a change of its own.
  static func isEpochRevoked(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT epoch_revoked FROM catalogue") ?? false
  }

  static func revokeEpoch(_ db: Database) throws {
    try db.execute(sql: "UPDATE catalogue SET epoch_revoked = 1")
  }

  static func grantEpoch(_ db: Database) throws {
    try db.execute(sql: "UPDATE catalogue SET epoch_revoked = 0")
  }

  static let sql = """
    CREATE TABLE catalogue (
      last_number INTEGER NOT NULL,
      epoch_revoked INTEGER NOT NULL CHECK (epoch_revoked IN (0, 1))
    ) STRICT;
    INSERT INTO catalogue VALUES (0, 0);

    \(tables)
    CREATE INDEX item_history_id ON item_history (strip, last_revision, id);

    CREATE TABLE outbox (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL
    ) STRICT;

    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    """

  static let integer = "INTEGER"
  static let text = "TEXT"
  static let blob = "BLOB"
  static let json = "TEXT"
  static let rowNumber = "INTEGER PRIMARY KEY"
  static let identity = "INTEGER PRIMARY KEY AUTOINCREMENT"
  static let strict = " STRICT"
  static let ordered = " STRICT, WITHOUT ROWID"
  static let blobLength = "length"
  static func byteCount(_ column: String) -> String { "length(CAST(\(column) AS BLOB))" }
  static let isName =
    "length(name) BETWEEN 1 AND 64 AND name GLOB '[a-z0-9]*' AND name NOT GLOB '*[^a-z0-9-]*'"
  static func isObject(_ column: String) -> String {
    "json_valid(\(column)) AND \(column) GLOB '{*}'"
  }
}

/// Checks the CHECK constraints. `PRAGMA integrity_check` leaves them out in a database that is opened to read only.
enum SchemaCheck {
  /// Describes each violated constraint, and a schema that differs from `Schema.sql`.
  ///
  /// - Complexity: O(rows) of the tables with constraints.
  static func faults(_ session: any SQLSession) throws -> [String] {
    let definitions = "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema"
    let intended = try DatabaseQueue().write { db in
      try db.execute(sql: Schema.sql)
      return try Set(String.fetchAll(db, sql: definitions))
    }
    let found = try session.map(definitions) { try $0.text(0) }
    // SQLite makes further tables when a database is analyzed.
    guard intended.isSubset(of: found) else {
      return ["the definitions of tables and indexes are not those of this version"]
    }
    return try constraints.flatMap { table, constraints in
      let counts = try session.first(
        "SELECT \(constraints.map { "count(*) FILTER (WHERE (\($0)) = 0)" }.joined(separator: ", ")) "
          + "FROM \(table)"
      ) { row in try constraints.indices.map { try row.integer($0) } }
      return zip(constraints, counts ?? []).filter { $0.1 > 0 }.map {
        "rows of the table \"\(table)\" break the constraint \($0.0.split(whereSeparator: \.isWhitespace).joined(separator: " ")): \($0.1)"
      }
    }
  }

  private static let constraints: [(table: String, constraints: [String])] =
    Schema.sql.split(separator: "CREATE TABLE ").dropFirst().compactMap { definition in
      let table = String(definition.prefix { $0 != " " })
      let constraints = definition.split(separator: "CHECK (").dropFirst().map { rest in
        var depth = 1
        return String(
          rest.prefix { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth > 0
          })
      }
      return constraints.isEmpty ? nil : (table, constraints)
    }
}
