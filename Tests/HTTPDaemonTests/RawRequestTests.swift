import HTTP
import Testing

@testable import HTTPDaemon

/// Raw requests and the answers they must get, however the network cuts them.
@Suite struct RawRequestTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let request: String
    /// The statuses of all the answers until the connection is closed.
    let statuses: [Int]

    var testDescription: String { request.debugDescription }

    init(_ request: String, _ statuses: Int...) {
      self.request = request
      self.statuses = statuses
    }
  }

  /// What follows each refused request: it must not be answered.
  private static let next = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  static let cases: [Case] = [
    // Let through, and so is what follows.
    Case("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, 200),
    Case("GET /?a=b&c HTTP/1.1\r\nHost: a:80\r\nX:\r\nY: \t z \r\n\r\n", 200, 200),
    Case("GET http://a/b?c HTTP/1.1\r\nHost: a\r\n\r\n", 200, 200),
    Case("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, 200),
    Case("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200, 200),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 200, 200),
    Case("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 200, 200),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 200, 200),
    // Let through as the last of its connection.
    Case("GET / HTTP/1.0\r\n\r\n", 200),
    Case("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
    Case(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200),
    // Where a body ends is in doubt.
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 0\r\n\r\nabc", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3 \r\n 0\r\n\r\nabc", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\nabc", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413),
    Case(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400),
    Case(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
      400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\nabc", 501),
    Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
    Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked;x\r\n\r\n0\r\n\r\n", 501),
    Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n", 400),
    Case(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n", 400),
    Case(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 400),
    Case(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n",
      400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding\r\n : chunked\r\n\r\n0\r\n\r\n", 400),
    Case("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    Case("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZ\r\n\r\n0\r\n\r\n", 400),
    Case(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400),
    // Lines and fields that two programs could read differently.
    Case("GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX: y\nZ: w\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\n\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\n X: folded\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\tfolded\r\nContent-Length: 5\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX\u{0}: b\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\n\u{0}X: b\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\n\u{0}X: b\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\n\u{0}\u{0}\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX: \u{1}\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX y: z\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\n: y\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nX(): y\r\n\r\n", 400),
    // Hosts.
    Case("GET / HTTP/1.1\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    Case("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400),
    Case("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    // Request lines.
    Case("GET /\r\nHost: a\r\n\r\n", 400),
    Case("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
    Case("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET /a\u{0}?b=c HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET /?b\u{0}=c&d HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET\u{0} / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET /é HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET /../a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET /%2E%2e/a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    Case("GET / HTTP/1.1x\r\nHost: a\r\n\r\n", 400),
    Case("GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
    Case("GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505),
    Case("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    Case("get / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    Case("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    Case("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    Case("GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
  ]

  private static let daemon = RunningDaemon()

  private func statuses(_ pieces: [ArraySlice<UInt8>]) throws -> [Int] {
    let client = try Self.daemon.client()
    for piece in pieces { client.send(piece) }
    return client.allResponses().map(\.status)
  }

  @Test(arguments: cases)
  func `A raw request gets its answer, and nothing behind a refused one does`(_ raw: Case) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    #expect(try statuses([bytes[...]]) == raw.statuses)
  }

  @Test(arguments: cases)
  func `Cut in two at any byte, it gets the same answer`(_ raw: Case) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    for cut in 1..<raw.request.utf8.count {
      #expect(try statuses([bytes[..<cut], bytes[cut...]]) == raw.statuses, "cut at \(cut)")
    }
  }

  @Test(arguments: cases)
  func `Sent byte by byte, it gets the same answer`(_ raw: Case) throws {
    let bytes = Array((raw.request + Self.next).utf8)
    #expect(try statuses(bytes.indices.map { bytes[$0...$0] }) == raw.statuses)
  }
}
