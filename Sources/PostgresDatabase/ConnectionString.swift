import CPostgreSQL
package import Items

/// The address of a database as libpq takes it: `postgresql://USER@HOST:PORT/NAME?...`.
///
/// It can name several hosts: `postgresql://USER@A,B/NAME` is the one that is a primary. The description contains no
/// password.
package struct ConnectionString: Sendable, CustomStringConvertible {
  /// Can contain a password.
  let text: String
  package let description: String

  package static func matches(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

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
    let hosts = Self.list(values["host"] ?? values["hostaddr"] ?? "")
    let ports = Self.list(values["port"] ?? "")
    // A single port is the port of each host.
    let servers = hosts.enumerated().map { index, host in
      let port = ports.count > 1 ? (index < ports.count ? ports[index] : "") : ports[0]
      return port.isEmpty ? host : "\(host):\(port)"
    }
    description =
      "postgresql://\(servers.joined(separator: ","))/\(values["dbname"] ?? values["user"] ?? "")"
    self.text = text
  }

  private static func list(_ value: String) -> [String] {
    value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}

extension String {
  /// A message of libpq, without line breaks.
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
