/// What a request asks to be done (RFC 9110 section 9.3).
///
/// Other methods, `CONNECT` among them, never get past the gate: they are answered with 501.
package enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  case trace = "TRACE"

  /// Whether the method only reads, so that any origin may use it.
  package var isRead: Bool { self == .get || self == .head }

  /// The method that `name` spells, in upper case as the wire has it; nil for any other.
  init?(_ name: Bytes) {
    guard let method = Method.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) })
    else { return nil }
    self = method
  }
}
