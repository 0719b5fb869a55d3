/// What can be read of a request that was refused: for its answer and for the log, and never to decide
/// anything by.
///
///     Glimpse(of: Array("GET /a HTTP/1.1\r\nX-Request-Id: 7\r\n\r\n".utf8)).requestID?.text  // "7"
package struct PartialHead: Sendable {
  package var method: Bytes?
  package var target: Bytes?
  package private(set) var requestID: Bytes?
  package private(set) var traceParent: Bytes?
  /// Whose page sent it, where a page did.
  package var origin: Bytes?

  /// Nothing.
  package init() {}

  /// What is known of a request whose head was let through.
  package init(_ head: Head) {
    method = Array(head.method.rawValue.utf8)[...]
    target = head.rawTarget
    requestID = head.requestID
    traceParent = head.traceParent
    origin = head.value(of: "origin")
  }

  /// What is to be seen in `bytes`, a head of whatever form.
  ///
  /// - Complexity: two passes over the bytes.
  package init(of bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    if let parts = lines.popFirst()?.split(separator: UInt8(ascii: " "), maxSplits: 2) {
      if let name = parts.first, name.count <= 32, name.allSatisfy(ASCIISet.token.contains) {
        method = name
      }
      if parts.count == 3 { target = parts[1] }
    }
    var ids: [Bytes] = []
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = line[(colon + 1)...].dropLast(line.last == UInt8(ascii: "\r") ? 1 : 0).trimmed
      if line[..<colon].spellsIgnoringCase("x-request-id") { ids.append(value) }
      if line[..<colon].spellsIgnoringCase("traceparent") { note(trace: value) }
      if line[..<colon].spellsIgnoringCase("origin") { origin = value }
    }
    // Of two, nobody knows which one was meant.
    if ids.count == 1 { note(requestID: ids[0]) }
  }

  /// Takes `value` for the request's id, if it is one.
  package mutating func note(requestID value: Bytes) {
    if value.isRequestID { requestID = value }
  }

  /// Takes `value` for the request's `traceparent`, if it is one.
  package mutating func note(trace value: Bytes) {
    if traceParent == nil, value.isTraceParent { traceParent = value }
  }
}
