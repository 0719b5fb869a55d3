/// A line of the access log: one exchange or rejection as a JSON object, with its line end.
///
/// Text from the client is escaped and truncated, so that it can neither end a line nor fill a disk.
package struct AccessLogEntry: Sendable {
  package let bytes: [UInt8]

  /// The most bytes of a target or a header.
  private static let limit = 1024

  /// - Parameter time: in RFC 3339 format, such as `2026-11-21T12:00:00.123Z`.
  package init(_ exchange: Exchange, at time: String) {
    let request = exchange.request
    var text = "{\"time\":\"\(time)\",\"method\":\"\(request.method.rawValue)\""
    text += ",\"target\":\(Self.json(request.head.rawTarget))"
    if let route = exchange.route { text += ",\"route\":\(JSONString(route.description))" }
    text += ",\"status\":\(exchange.status),\"bytes\":\(exchange.count)"
    text += ",\"microseconds\":\((exchange.nanoseconds + 500) / 1000)"
    text += ",\"client\":\(JSONString("\(request.peer)"))"
    Self.append(exchange.id, request.head.traceParent, to: &text)
    if let agent = request["user-agent"] { text += ",\"user_agent\":\(Self.json(agent))" }
    bytes = Array((text + "}\n").utf8)
  }

  package init(_ rejected: RejectedRequest, at time: String) {
    let head = rejected.head
    var text = "{\"time\":\"\(time)\""
    if let method = head.method { text += ",\"method\":\(Self.json(method))" }
    if let target = head.target { text += ",\"target\":\(Self.json(target))" }
    let reason = rejected.reason.map { "\($0)" } ?? "libmicrohttpd"
    text += ",\"refused\":\"\(reason)\",\"status\":\(rejected.status)"
    if rejected.peer != .unknown { text += ",\"client\":\(JSONString("\(rejected.peer)"))" }
    Self.append(rejected.id, head.traceParent, to: &text)
    bytes = Array((text + "}\n").utf8)
  }

  private static func append(_ id: String?, _ trace: Bytes?, to text: inout String) {
    if let id { text += ",\"request_id\":\(JSONString(id))" }
    if let trace { text += ",\"traceparent\":\(JSONString(trace.text))" }
  }

  private static func json(_ bytes: Bytes) -> String {
    let truncated = bytes.prefix(limit).text + (bytes.count > limit ? "..." : "")
    return JSONString(truncated).description
  }
}
