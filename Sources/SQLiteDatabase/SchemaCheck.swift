import Catalogue
import GRDB
import SQLCatalogue

/// Checks what `PRAGMA integrity_check` leaves out: SQLite does not know the CHECK constraints of a database
/// that it opens to read only.
enum SchemaCheck {
  /// A sentence for each constraint that rows break, and for a definition that is not that of `Schema`.
  ///
  /// - Complexity: reads each table that has constraints once.
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

  /// The CHECK constraints of `Schema.sql`, by table.
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
