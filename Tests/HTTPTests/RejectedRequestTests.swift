import HTTP
import Testing

@Suite struct RejectedRequestTests {
  private func parts(_ text: String) -> [String?] {
    let head = PartialHead(Array(text.utf8))
    return [head.method, head.target, head.requestID, head.traceParent].map { $0?.text }
  }

  private let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test func `an invalid head has its readable parts`() {
    let fields = "x-REQUEST-id: \t a-1 \r\nTraceParent: \(trace)\r\n"
    #expect(parts("GET /a?b HTTP/1.1\r\n\(fields)\r\n") == ["GET", "/a?b", "a-1", trace])
    #expect(parts("GET /a HTTP/1.1\n\(fields)\n") == ["GET", "/a", "a-1", trace])
  }

  @Test func `malformed parts are nil`() {
    #expect(parts("") == [nil, nil, nil, nil])
    #expect(parts("GET /\r\n\r\n") == ["GET", nil, nil, nil])
    #expect(parts("G(T /a HTTP/1.1\r\n\r\n") == [nil, "/a", nil, nil])
    #expect(
      parts("GET /a HTTP/1.1\r\nX-Request-Id: two words\r\ntraceparent: 1\r\n\r\n")
        == ["GET", "/a", nil, nil])
    #expect(
      parts("GET /a HTTP/1.1\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n")
        == ["GET", "/a", nil, nil])
  }

  @Test func `each rejection reason has a status and a title`() {
    for reason in RejectionReason.allCases {
      #expect((400...505).contains(reason.status))
      #expect(!reason.problem.title.hasPrefix("Status"))
    }
  }
}
