/// A line of an access log: one exchange as a JSON object, with its end.
///
///     AccessLine(exchange, at: "2026-11-21T12:00:00.123Z").bytes
///
/// What the client sent is escaped and cut, so that it can neither end a line nor fill a disk.
package struct AccessLine: Sendable {
  package let bytes: [UInt8]

  /// Bytes of a target or a header that are kept.
  private static let limit = 1024

  /// - Parameter time: when it was answered, as RFC 3339 writes it.
  package init(_ exchange: Exchange, at time: String) {
    let request = exchange.request
    var text = "{\"time\":\"\(time)\",\"method\":\"\(request.method.rawValue)\""
    text += ",\"target\":\(Self.json(request.head.rawTarget))"
    if let route = exchange.route { text += ",\"route\":\(JSONText(route.description))" }
    text += ",\"status\":\(exchange.status),\"bytes\":\(exchange.count)"
    text += ",\"microseconds\":\((exchange.nanoseconds + 500) / 1000)"
    text += ",\"client\":\(JSONText("\(request.peer)"))"
    if let id = exchange.id { text += ",\"request_id\":\(JSONText(id))" }
    if let trace = request.head.traceParent { text += ",\"traceparent\":\(JSONText(trace.text))" }
    if let agent = request["user-agent"] { text += ",\"user_agent\":\(Self.json(agent))" }
    bytes = Array((text + "}\n").utf8)
  }

  /// A request that went no further, with what could be read of it.
  package init(_ refused: RejectedRequest, at time: String) {
    let glimpse = refused.glimpse
    var text = "{\"time\":\"\(time)\""
    if let method = glimpse.method { text += ",\"method\":\(Self.json(method))" }
    if let target = glimpse.target { text += ",\"target\":\(Self.json(target))" }
    text += ",\"refused\":\"\(refused.refusal)\",\"status\":\(refused.refusal.status)"
    if refused.peer != .unknown { text += ",\"client\":\(JSONText("\(refused.peer)"))" }
    if let id = refused.id { text += ",\"request_id\":\(JSONText(id))" }
    if let trace = glimpse.traceParent { text += ",\"traceparent\":\(JSONText(trace.text))" }
    bytes = Array((text + "}\n").utf8)
  }

  private static func json(_ bytes: Bytes) -> String {
    let cut = bytes.prefix(limit).text + (bytes.count > limit ? "..." : "")
    return JSONText(cut).description
  }
}
