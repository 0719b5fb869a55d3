/// A line of an access log: one exchange as a JSON object, with its end.
///
///     AccessLine(exchange, id: "5f-12", at: "2026-11-21T12:00:00.123Z").bytes
///
/// What the client sent is escaped and cut, so that it can neither end a line nor fill a disk.
package struct AccessLine: Sendable {
  package let bytes: [UInt8]

  /// Bytes of a target or a header that are kept.
  private static let limit = 1024

  /// - Parameters:
  ///   - id: what tells the request from others, where it brought no `X-Request-Id`.
  ///   - time: when it was answered, as RFC 3339 writes it.
  package init(_ exchange: Exchange, id: @autoclosure () -> String, at time: String) {
    let request = exchange.request
    let micros = exchange.duration / .microseconds(1)
    var text = "{\"time\":\"\(time)\",\"method\":\"\(request.method.rawValue)\""
    text += ",\"target\":\(Self.json(request.head.rawTarget))"
    if let route = exchange.route { text += ",\"route\":\(JSONText(route.description))" }
    text += ",\"status\":\(exchange.status),\"bytes\":\(exchange.count)"
    text += ",\"microseconds\":\(Int(micros.rounded()))"
    text += ",\"client\":\(JSONText("\(request.peer)"))"
    let given = request["x-request-id"].flatMap { $0.isEmpty ? nil : Self.json($0) }
    text += ",\"request_id\":\(given ?? JSONText(id()).description)"
    if let trace = request["traceparent"], Self.isTrace(trace) {
      text += ",\"traceparent\":\(Self.json(trace))"
    }
    if let agent = request["user-agent"] { text += ",\"user_agent\":\(Self.json(agent))" }
    bytes = Array((text + "}\n").utf8)
  }

  private static func json(_ bytes: Bytes) -> String {
    let cut = bytes.prefix(limit).text + (bytes.count > limit ? "..." : "")
    return JSONText(cut).description
  }

  /// Whether `trace` has the form of W3C's Trace Context: version, trace, parent and flags.
  private static func isTrace(_ trace: Bytes) -> Bool {
    let parts = trace.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [2, 32, 16, 2]
      && parts.joined().allSatisfy { $0.hexadecimal != nil && $0 == $0.lowercased }
  }
}
