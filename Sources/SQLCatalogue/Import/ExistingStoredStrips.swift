package import Catalogue

/// The strips of a database before an import: what a dry run looks at.
package final class ExistingStoredStrips: ExistingStrips {
  /// Nil if the import makes the database.
  private let database: (any SQLDatabase)?

  package init(_ database: (any SQLDatabase)?) { self.database = database }

  deinit { database?.close() }

  package func number(of name: String) throws(CatalogueError) -> Int64? {
    try first("SELECT number FROM strip WHERE name = $1", [.text(name)])
  }

  package func has(_ id: String, in strip: Int64) throws(CatalogueError) -> Bool {
    guard !id.utf8.contains(0) else { return false }
    return try first(
      "SELECT position FROM item WHERE strip = $1 AND id = $2", [.integer(strip), .text(id)]) != nil
  }

  package func kinds(of strip: Int64) throws(CatalogueError) -> [String] {
    try database?.readStatement { session in
      try session.first("SELECT kinds FROM strip WHERE number = $1", [.integer(strip)]) {
        try $0.names(0)
      }
    } ?? []
  }

  package func has(kind: Int, in strip: Int64) throws(CatalogueError) -> Bool {
    try first(
      "SELECT position FROM item WHERE strip = $1 AND kind = $2 LIMIT 1",
      [.integer(strip), .integer(kind)]) != nil
  }

  private func first(_ sql: String, _ values: [SQLValue]) throws(CatalogueError) -> Int64? {
    try database?.readStatement { session in
      try session.first(sql, values) { try $0.integer(0) }
    } ?? nil
  }
}
