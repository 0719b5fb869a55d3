import Testing

@testable import HTTP

@Suite struct GlimpseTests {
  private func glimpse(_ text: String) -> [String?] {
    let seen = PartialHead(of: Array(text.utf8))
    return [seen.method, seen.target, seen.requestID, seen.traceParent].map { $0?.text }
  }

  private let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test func `What a refused head says of itself is found`() {
    let fields = "x-REQUEST-id: \t a-1 \r\nTraceParent: \(trace)\r\n"
    #expect(
      glimpse("GET /a?b HTTP/1.1\r\n\(fields)\r\n") == ["GET", "/a?b", "a-1", trace])
    #expect(glimpse("GET /a HTTP/1.1\n\(fields)\n") == ["GET", "/a", "a-1", trace])
  }

  @Test func `What is not as it should be is left out`() {
    #expect(glimpse("") == [nil, nil, nil, nil])
    #expect(glimpse("GET /\r\n\r\n") == ["GET", nil, nil, nil])
    #expect(glimpse("G(T /a HTTP/1.1\r\n\r\n") == [nil, "/a", nil, nil])
    #expect(
      glimpse("GET /a HTTP/1.1\r\nX-Request-Id: two words\r\ntraceparent: 1\r\n\r\n")
        == ["GET", "/a", nil, nil])
    #expect(
      glimpse("GET /a HTTP/1.1\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n")
        == ["GET", "/a", nil, nil])
  }
}
