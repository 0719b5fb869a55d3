import Testing

@testable import HTTP

@Suite struct GateTests {
  private func admit(_ text: String) throws(RejectionReason) -> Head {
    try HeadParser().admit(Array(text.utf8))
  }

  @Test func `An ordinary request is let through with its parts`() throws {
    let head = try admit(
      "GET /window?strip=a&offset=1 HTTP/1.1\r\nHost: example.org:8080\r\nAccept:  */* \r\n\r\n")
    #expect(head.method == .get)
    #expect(head.isHTTP11)
    #expect(head.path.text == "/window")
    #expect(head.query.text == "strip=a&offset=1")
    #expect(head.value(of: "accept")?.text == "*/*")
    #expect(head.value(of: "host")?.text == "example.org:8080")
    #expect(head.value(of: "cookie") == nil)
    #expect(head.length == .none)
  }

  @Test func `A target that is a whole address gives its path`() throws {
    let head = try admit("GET http://Localhost/a?b HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(head.path.text == "/a")
    #expect(head.query.text == "b")
    let bare = try admit("GET http://localhost?b HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(bare.path.text == "/")
    #expect(bare.query.text == "b")
  }

  @Test func `What browsers and curl send unencoded is let through as it is`() throws {
    let head = try admit(#"GET /a|[b]^{c}`"<\>?d=|[e]^{f}`"<\>' HTTP/1.1"# + "\r\nHost: a\r\n\r\n")
    #expect(head.path.text == #"/a|[b]^{c}`"<\>"#)
    #expect(head.query.text == #"d=|[e]^{f}`"<\>'"#)
  }

  @Test func `HTTP 1.0 needs no Host`() throws {
    #expect(try !admit("GET / HTTP/1.0\r\n\r\n").isHTTP11)
  }

  @Test func `The length of a body is told`() throws {
    let start = "POST /a HTTP/1.1\r\nHost: a\r\n"
    #expect(try admit("\(start)Content-Length: 5\r\n\r\n").length == .bytes(5))
    #expect(try admit("\(start)content-length:0\r\n\r\n").length == .bytes(0))
    #expect(try admit("\(start)Transfer-Encoding: Chunked\r\n\r\n").length == .chunked)
  }

  /// A request by everything between its method and its empty line, and why it is refused.
  private static let refused: [(String, RejectionReason)] = [
    ("GET /\r\nHost: a", .malformedRequestLine),
    ("GET  / HTTP/1.1\r\nHost: a", .malformedRequestLine),
    ("GET / a HTTP/1.1\r\nHost: a", .malformedRequestLine),
    ("GET /  HTTP/1.1\r\nHost: a", .malformedRequestLine),
    ("GET / HTTP/1.1 \r\nHost: a", .malformedRequestLine),
    ("GET / http/1.1\r\nHost: a", .malformedRequestLine),
    (" GET / HTTP/1.1\r\nHost: a", .malformedRequestLine),
    ("GET / HTTP/1.1\nHost: a", .malformedRequestLine),
    ("GET / HTTP/1.2\r\nHost: a", .unknownVersion),
    ("GET / HTTP/2.0\r\nHost: a", .unknownVersion),
    ("get / HTTP/1.1\r\nHost: a", .unknownMethod),
    ("BREW / HTTP/1.1\r\nHost: a", .unknownMethod),
    ("CONNECT a:443 HTTP/1.1\r\nHost: a", .unknownMethod),
    ("GET /\u{0}a HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET /\ta HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET /é HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET /#a HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET a HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET * HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET http://u@a/ HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET ftp://a/ HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET http:/// HTTP/1.1\r\nHost: a", .malformedTarget),
    ("GET /../a HTTP/1.1\r\nHost: a", .climbingPath),
    ("GET /a/%2e%2E HTTP/1.1\r\nHost: a", .climbingPath),
    ("GET /a/./b HTTP/1.1\r\nHost: a", .climbingPath),
    ("GET / HTTP/1.1\r\nHost: a\r\n b", .foldedField),
    ("GET / HTTP/1.1\r\n Host: a", .foldedField),
    ("GET / HTTP/1.1\r\nHost: a\r\nX\t: b", .malformedField),
    ("GET / HTTP/1.1\r\nHost : a", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\nX", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\n: b", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\nX: b", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\rX: b", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\n\u{0}X: b", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7F}", .malformedField),
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\nX: a", .malformedField),
    ("GET / HTTP/1.1\r\nX: a", .missingHost),
    ("GET / HTTP/1.1\r\nHost: a\r\nhost: a", .repeatedHost),
    ("GET / HTTP/1.1\r\nHost:", .malformedHost),
    ("GET / HTTP/1.1\r\nHost: a b", .malformedHost),
    ("GET / HTTP/1.1\r\nHost: a/b", .malformedHost),
    ("GET / HTTP/1.1\r\nHost: a:b", .malformedHost),
    ("GET / HTTP/1.1\r\nHost: [::1", .malformedHost),
    ("GET / HTTP/1.1\r\nHost: u@a", .malformedHost),
    ("GET http://[zz]/ HTTP/1.1\r\nHost: [zz]", .malformedTarget),
    ("GET http://b/ HTTP/1.1\r\nHost: a", .differingHost),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5", .repeatedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6", .repeatedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5", .malformedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5", .malformedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:", .malformedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5", .malformedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577", .bodyTooLarge),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999", .bodyTooLarge),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
      .lengthAndCoding
    ),
    ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked", .codingInHTTP10),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip", .codingNotFinal),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked", .unknownCoding),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked", .unknownCoding),
    ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: gzip", .unknownCoding),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
      .repeatedCoding
    ),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked", .unknownCoding),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:", .unknownCoding),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok", .unknownExpectation),
  ]

  @Test(arguments: refused)
  func `What two programs could read differently is refused`(
    _ request: (text: String, refusal: RejectionReason)
  ) {
    #expect(throws: request.refusal) { try admit("\(request.text)\r\n\r\n") }
  }

  @Test func `What is longer than the limits is refused, and what is as long is not`() throws {
    var gate = HeadParser()
    let request = Array("GET /abc HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    gate.headLimit = request.count
    gate.targetLimit = 4
    _ = try gate.admit(request)
    gate.targetLimit = 3
    #expect(throws: RejectionReason.targetTooLong) { try gate.admit(request) }
    gate.headLimit = request.count - 1
    #expect(throws: RejectionReason.headTooLarge) { try gate.admit(request) }
  }

  @Test func `A request cut short anywhere is refused`() {
    let request = Array(
      "POST http://a/b?c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX: y\r\n\r\n".utf8)
    for count in 0..<request.count {
      #expect(throws: RejectionReason.self, "\(count) bytes") {
        try HeadParser().admit(Array(request.prefix(count)))
      }
    }
  }

  @Test func `Random changes of a request never trap, and admitted parts lie in it`() {
    var random = Seeded(seed: 4)
    let request = Array(
      "GET http://a:1/b%2e/c?d=e HTTP/1.1\r\nHost: a:1\r\nContent-Length: 5\r\nTE: x\r\n\r\n".utf8)
    for _ in 0..<20_000 {
      var changed = request
      for _ in 0...random.next(below: 3) {
        let place = random.next(below: changed.count)
        switch random.next(below: 3) {
        case 0: changed[place] = UInt8(random.next(below: 256))
        case 1: changed.insert(changed[random.next(below: changed.count)], at: place)
        default: changed.remove(at: place)
        }
      }
      guard let head = try? HeadParser().admit(changed) else { continue }
      #expect(!head.path.isEmpty)
      for line in IteratorSequence(FieldLines(head)) { #expect(!line.name.isEmpty) }
    }
  }
}
