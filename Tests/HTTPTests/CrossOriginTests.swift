import HTTP
import Testing

@Suite struct CrossOriginTests {
  private func response(
    _ policy: CrossOrigin, _ method: Method, _ headers: [(String, String)]
  ) -> Response {
    let answer = policy.handle(Request(method, "/", headers: headers)) { _ in
      .response(Response(status: 200))
    }
    guard case .response(let response) = answer else {
      preconditionFailure("This handler answers at once.")
    }
    return response
  }

  @Test func `any origin may read, without credentials`() {
    let response = response(CrossOrigin(), .get, [("Origin", "https://a.example")])
    #expect(response["Access-Control-Allow-Origin"] == "*")
    #expect(response["Access-Control-Expose-Headers"] == "ETag, Retry-After, X-Request-Id")
    #expect(response["Access-Control-Allow-Credentials"] == nil)
  }

  @Test func `an origin may read a rejection if it may read the answer`() {
    let narrow = CrossOrigin(.only(["https://a.example"]))
    for (policy, head, allowed) in [
      (CrossOrigin(), "GET /.. HTTP/1.1\r\n\r\n", "*"), (CrossOrigin(), "", "*"),
      (CrossOrigin(), "PUT /.. HTTP/1.1\r\n\r\n", nil),
      (CrossOrigin(), "NONE /.. HTTP/1.1\r\n\r\n", nil),
      (narrow, "HEAD /.. HTTP/1.1\r\norigin: https://a.example\r\n\r\n", "https://a.example"),
      (narrow, "GET /.. HTTP/1.1\r\nOrigin: https://b.example\r\n\r\n", nil), (narrow, "", nil),
    ] {
      let response = Response(
        status: 400, fields: policy.fields(rejecting: PartialHead(Array(head.utf8))))
      #expect(response["Access-Control-Allow-Origin"] == allowed, "\(head)")
    }
  }

  @Test func `no origin may send changes`() {
    let origin = ("Origin", "https://a.example")
    #expect(response(CrossOrigin(), .post, [origin])["Access-Control-Allow-Origin"] == nil)
    let preflight = response(
      CrossOrigin(), .options, [origin, ("Access-Control-Request-Method", "POST")])
    #expect(preflight.status == 204)
    #expect(preflight["Access-Control-Allow-Origin"] == nil)
    #expect(preflight["Access-Control-Allow-Methods"] == nil)
  }

  @Test func `a preflight allows a read`() {
    let preflight = response(
      CrossOrigin(), .options,
      [("Origin", "https://a.example"), ("Access-Control-Request-Method", "GET")])
    #expect(preflight.status == 204)
    #expect(preflight["Access-Control-Allow-Origin"] == "*")
    #expect(preflight["Access-Control-Allow-Methods"] == "GET, HEAD")
  }

  @Test func `with a list of origins, the response names the allowed origin and varies by Origin`()
  {
    let policy = CrossOrigin(.only(["https://a.example"]))
    let allowed = response(policy, .get, [("Origin", "https://a.example")])
    #expect(allowed["Access-Control-Allow-Origin"] == "https://a.example")
    #expect(allowed["Vary"] == "Origin")
    let other = response(policy, .get, [("Origin", "https://b.example")])
    #expect(other["Access-Control-Allow-Origin"] == nil)
    #expect(other["Vary"] == "Origin")
    #expect(response(policy, .get, [])["Vary"] == "Origin")
  }
}
