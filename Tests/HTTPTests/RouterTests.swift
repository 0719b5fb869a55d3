import HTTP
import Testing

@Suite struct RouterTests {
  private static func respond(_ text: String) -> HandlerResult {
    .response(Response("text/plain", Array(text.utf8)))
  }

  private let router = Router<Int>([
    .get("/") { _, _, _ in respond("root") },
    .get("/strips/{strip}") { context, _, path in respond("\(context) \(path["strip"])") },
    .put("/strips/{strip}") { _, _, _ in respond("put") },
    .delete("/strips/{strip}") { _, _, _ in respond("delete") },
    .get("/strips/{strip}/items/{id}") { _, _, path in respond("\(path["strip"]) \(path["id"])") },
    .post("/edits") { _, _, _ throws(Problem) in
      throw .badParameter("op", "There is no such operation.")
    },
  ])

  private func response(_ method: Method, _ target: String) -> Response {
    guard case .response(let response) = router.handle(Request(method, target), in: 7) else {
      preconditionFailure("These routes answer at once.")
    }
    return response
  }

  private func text(_ target: String) -> String {
    response(.get, target).body.bytes[...].text
  }

  @Test func `a path selects its route and sets the parameters`() {
    #expect(text("/") == "root")
    #expect(text("/strips/a?x=y") == "7 a")
    #expect(text("/strips/a/items/b") == "a b")
  }

  @Test func `a path is split before it is decoded`() {
    #expect(text("/strips/a%2Fb/items/c%20d+e") == "a/b c d+e")
    #expect(text("/%73trips/a") == "7 a")
  }

  @Test func `a path without a route is 404`() {
    for path in ["/strip", "/strips", "/strips/", "/strips//items/b", "/strips/a/", "//"] {
      #expect(response(.get, path).status == 404, "\(path)")
    }
  }

  @Test(arguments: ["/strips/%", "/strips/%ff", "/a%00b", "/%g0"])
  func `malformed percent-encoding is 400`(_ path: String) {
    #expect(response(.get, path).status == 400)
  }

  @Test func `an unsupported method is 405 with Allow`() {
    #expect(response(.post, "/strips/a").status == 405)
    #expect(response(.post, "/strips/a")["Allow"] == "GET, HEAD, PUT, DELETE, OPTIONS")
    #expect(response(.get, "/edits")["allow"] == "POST, OPTIONS")
    #expect(response(.trace, "/").status == 405)
  }

  @Test func `OPTIONS returns the methods of a path`() {
    #expect(response(.options, "/strips/a").status == 204)
    #expect(response(.options, "/strips/a")["Allow"] == "GET, HEAD, PUT, DELETE, OPTIONS")
    #expect(response(.options, "*")["Allow"] == "GET, HEAD, POST, PUT, DELETE, OPTIONS")
  }

  @Test func `an answer has the pattern of its route, also for a problem`() {
    #expect(response(.get, "/strips/a").route?.description == "/strips/{strip}")
    #expect(response(.post, "/edits").route?.description == "/edits")
    #expect(response(.get, "/nowhere").route == nil)
  }

  @Test func `HEAD uses the routes of GET`() {
    #expect(response(.head, "/").status == 200)
    #expect(response(.head, "/edits").status == 405)
  }

  @Test func `a problem that a route throws is its answer`() {
    let response = response(.post, "/edits")
    #expect(response.status == 400)
    #expect(response["Content-Type"] == "application/problem+json")
    #expect(response["Cache-Control"] == "no-store")
    #expect(
      response.body.bytes[...].text
        == #"{"status":400,"title":"Bad Request","detail":"There is no such operation.","parameter":"op"}"#
    )
  }
}
