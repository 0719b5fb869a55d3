package import Catalogue

/// The strips of a PostgreSQL database, or none where it holds no catalogue yet.
///
/// A catalogue of an older version is read as it is.
package final class PostgresExistingStrips: ExistingStrips {
  private let sessions: Sessions
  private let isThere: Bool

  /// - Throws: `.unavailable` where the database is not to be had, or of a newer version.
  package init(_ address: Address) throws(CatalogueError) {
    let sessions = Sessions(address, limit: 1)
    isThere = try sessions.read { try Schema.isThere($0, address) }
    self.sessions = sessions
  }

  package func number(of name: String) throws(CatalogueError) -> Int64? {
    guard isThere else { return nil }
    return try sessions.read { session in
      try session.run("SELECT number FROM strip WHERE name = $1", [.text(name)])
        .first { try $0.integer(0) }
    }
  }

  package func has(_ id: String, in strip: Int64) throws(CatalogueError) -> Bool {
    try sessions.read { session in
      try session.run(
        "SELECT position FROM item WHERE strip = $1 AND id = $2", [.integer(strip), .text(id)]
      ).first { try $0.integer(0) } != nil
    }
  }

  package func kinds(of strip: Int64) throws(CatalogueError) -> [String] {
    try sessions.read { session in
      try session.run("SELECT name FROM kind WHERE strip = $1 ORDER BY number", [.integer(strip)])
        .map { try $0.text(0) }
    }
  }

  package func has(kind: Int, in strip: Int64) throws(CatalogueError) -> Bool {
    try sessions.read { session in
      try session.run(
        "SELECT position FROM item WHERE strip = $1 AND kind = $2::bigint LIMIT 1",
        [.integer(strip), .integer(Int64(kind))]
      ).first { try $0.integer(0) } != nil
    }
  }
}
