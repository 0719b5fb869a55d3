import HTTP

/// Answers with what it was asked, so that a test can tell what arrived.
struct EchoHandler: Handler {
  func answer(_ request: Request) -> Answer {
    var lines = ["\(request.method.rawValue) \(request.path.text) ? \(request.rawQuery.text)"]
    for line in FieldLines(request.head) { lines.append("\(line.name.text)=\(line.value.text)") }
    lines.append("body=\(String(decoding: request.body.prefix(64), as: UTF8.self))")
    lines.append("count=\(request.body.count)")
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let tag = EntityTag(hashing: bytes)
    return .response(Response("text/plain", bytes).tagged(tag).unlessHeld(by: request, tag))
  }
}
