/// The readable parts of a head that may be invalid, for the response to it and for the log. No
/// other decision may depend on them.
package struct PartialHead: Sendable {
  package var method: Bytes?
  package var target: Bytes?
  package var fields: [(name: Bytes, value: Bytes)] = []

  package init() {}

  /// - Complexity: two passes over the bytes.
  package init(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    let parts = lines.popFirst()?.split(separator: UInt8(ascii: " "), maxSplits: 2) ?? []
    if let name = parts.first, name.count <= 32, name.allSatisfy(ASCIISet.token.contains) {
      method = name
    }
    if parts.count == 3 { target = parts[1] }
    fields = lines.compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[(colon + 1)...].dropLast(line.last == UInt8(ascii: "\r") ? 1 : 0)
      return (line[..<colon], value.trimmed)
    }
  }

  private func values(of name: StaticString) -> [Bytes] {
    fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// Nil if the id is invalid, or repeated and so ambiguous.
  package var requestID: Bytes? {
    let ids = values(of: "x-request-id")
    return ids.count == 1 && ids[0].isRequestID ? ids[0] : nil
  }

  package var traceParent: Bytes? { values(of: "traceparent").first(where: \.isTraceParent) }

  package var origin: Bytes? { values(of: "origin").last }
}
