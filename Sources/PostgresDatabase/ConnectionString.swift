import CPostgreSQL
package import Catalogue

/// The address of a database as libpq takes it: `postgresql://USER@HOST:PORT/NAME?...`.
///
/// The description contains no password.
package struct ConnectionString: Sendable, CustomStringConvertible {
  /// The address as it was given. It can contain a password.
  let text: String
  package let description: String

  /// Whether `text` is the address of a PostgreSQL database.
  package static func matches(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// - Throws: `.unavailable` if libpq cannot parse it.
  package init(_ text: String) throws(CatalogueError) {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      defer { PQfreemem(message) }
      let reason = message.map { String(cString: $0) } ?? "it cannot be parsed"
      throw .unavailable("the database's address: \(reason.oneLine)")
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
  /// A message of libpq's, which can have more than one line, in one line.
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
