import HTTP
import RandomTesting
import Testing

@Suite struct HeadParserTests {
  private func parse(_ text: String) throws(RejectionReason) -> Head {
    try HeadParser().parse(Array(text.utf8))
  }

  @Test func `a valid request has its parts`() throws {
    let head = try parse(
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

  @Test func `a target in absolute form has a path and a query`() throws {
    let head = try parse("GET http://Localhost/a?b HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(head.path.text == "/a")
    #expect(head.query.text == "b")
    let bare = try parse("GET http://localhost?b HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(bare.path.text == "/")
    #expect(bare.query.text == "b")
  }

  @Test func `characters that browsers and curl do not encode are valid`() throws {
    let head = try parse(#"GET /a|[b]^{c}`"<\>?d=|[e]^{f}`"<\>' HTTP/1.1"# + "\r\nHost: a\r\n\r\n")
    #expect(head.path.text == #"/a|[b]^{c}`"<\>"#)
    #expect(head.query.text == #"d=|[e]^{f}`"<\>'"#)
  }

  @Test func `HTTP/1.0 needs no Host`() throws {
    #expect(try !parse("GET / HTTP/1.0\r\n\r\n").isHTTP11)
  }

  @Test func `a head has the length of its body`() throws {
    let start = "POST /a HTTP/1.1\r\nHost: a\r\n"
    #expect(try parse("\(start)Content-Length: 5\r\n\r\n").length == .bytes(5))
    #expect(try parse("\(start)content-length:0\r\n\r\n").length == .bytes(0))
    #expect(try parse("\(start)Transfer-Encoding: Chunked\r\n\r\n").length == .chunked)
  }

  @Test func `a value with a control character at any position is rejected`() throws {
    for byte in UInt8.min...UInt8.max {
      for position in 1...18 {
        var value = [UInt8](repeating: UInt8(ascii: "a"), count: 20)
        value[position] = byte
        let start = Array("GET / HTTP/1.1\r\nHost: a\r\nA: ".utf8)
        let head = start + value + Array("\r\n\r\n".utf8)
        if byte < 0x20 && byte != 0x09 || byte == 0x7F {
          #expect(throws: RejectionReason.malformedField) { try HeadParser().parse(head) }
        } else {
          let parsed = try HeadParser().parse(head).value(of: "a")
          #expect(parsed.map { Array($0) } == value)
        }
      }
    }
  }

  @Test func `a name or a target with an invalid byte at any position is rejected`() throws {
    let token = Array("!#$%&'*+-.^_`|~".utf8)
    for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: ":") {
      let isAlphanumeric =
        byte.isDigit || byte.lowercased >= UInt8(ascii: "a") && byte.lowercased <= UInt8(ascii: "z")
      for position in 1...18 {
        var name = [UInt8](repeating: UInt8(ascii: "a"), count: 20)
        name[position] = byte
        let field = Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + name + Array(": a\r\n\r\n".utf8)
        let target = Array("GET /".utf8) + name + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        if isAlphanumeric || token.contains(byte) {
          _ = try HeadParser().parse(field)
        } else {
          #expect(throws: RejectionReason.malformedField) { try HeadParser().parse(field) }
        }
        if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") {
          #expect(try HeadParser().parse(target).rawTarget.dropFirst().elementsEqual(name))
        } else {
          #expect(throws: RejectionReason.self) { try HeadParser().parse(target) }
        }
      }
    }
  }

  /// Requests without their empty line, and the reasons to reject them.
  private static let invalid: [(String, RejectionReason)] = [
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
    ("GET /../a HTTP/1.1\r\nHost: a", .pathTraversal),
    ("GET /a/%2e%2E HTTP/1.1\r\nHost: a", .pathTraversal),
    ("GET /a/./b HTTP/1.1\r\nHost: a", .pathTraversal),
    ("GET / HTTP/1.1\r\nHost: a\r\n b", .obsFold),
    ("GET / HTTP/1.1\r\n Host: a", .obsFold),
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
    ("GET http://b/ HTTP/1.1\r\nHost: a", .hostMismatch),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5", .repeatedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6", .repeatedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5", .malformedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5", .malformedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:", .malformedLength),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5", .malformedLength),
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

  @Test(arguments: invalid)
  func `an ambiguous or invalid request is rejected`(
    _ request: (text: String, reason: RejectionReason)
  ) {
    #expect(throws: request.reason) { try parse("\(request.text)\r\n\r\n") }
  }

  @Test func `a head at the limits is valid, a longer one is rejected`() throws {
    var parser = HeadParser()
    let request = Array("GET /abc HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    parser.headLimit = request.count
    parser.targetLimit = 4
    _ = try parser.parse(request)
    parser.targetLimit = 3
    #expect(throws: RejectionReason.targetTooLong) { try parser.parse(request) }
    parser.headLimit = request.count - 1
    #expect(throws: RejectionReason.headTooLarge) { try parser.parse(request) }
  }

  @Test func `a truncated request is rejected`() {
    let request = Array(
      "POST http://a/b?c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX: y\r\n\r\n".utf8)
    for count in 0..<request.count {
      #expect(throws: RejectionReason.self, "\(count) bytes") {
        try HeadParser().parse(Array(request.prefix(count)))
      }
    }
  }

  @Test func `random changes of a request never trap`() {
    var random = SeededRandom(seed: 4)
    let request = Array(
      "GET http://a:1/b%2e/c?d=e HTTP/1.1\r\nHost: a:1\r\nContent-Length: 5\r\nTE: x\r\n\r\n".utf8)
    for _ in 0..<20_000 {
      var changed = request
      for _ in 0...random.next(below: 3) {
        let index = random.next(below: changed.count)
        switch random.next(below: 3) {
        case 0: changed[index] = UInt8(random.next(below: 256))
        case 1: changed.insert(changed[random.next(below: changed.count)], at: index)
        default: changed.remove(at: index)
        }
      }
      guard let head = try? HeadParser().parse(changed) else { continue }
      #expect(!head.path.isEmpty)
      for line in IteratorSequence(FieldLines(head)) { #expect(!line.name.isEmpty) }
    }
  }
}
