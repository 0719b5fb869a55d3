import CPostgreSQL
package import Catalogue

/// Where a database is: `postgresql://USER@HOST:PORT/NAME?...`, as libpq takes it.
///
/// Its description has no password in it.
package struct Address: Sendable, CustomStringConvertible {
  /// As it was given, with whatever secrets stand in it.
  let text: String
  package let description: String

  /// Whether `text` names a PostgreSQL database.
  package static func isOne(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// - Throws: `.unavailable` where libpq cannot read it.
  package init(_ text: String) throws(CatalogueError) {
    var complaint: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &complaint) else {
      defer { PQfreemem(complaint) }
      let said = complaint.map { String(cString: $0) } ?? "it cannot be read"
      throw .unavailable("the database's address: \(said.oneLine)")
    }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        values[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    let host = values["host"] ?? values["hostaddr"] ?? ""
    let port = values["port"].map { ":\($0)" } ?? ""
    description = "postgresql://\(host)\(port)/\(values["dbname"] ?? values["user"] ?? "")"
    self.text = text
  }
}

extension String {
  /// A message of libpq's, which may have more than one line, in one.
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
