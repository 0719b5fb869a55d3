import Testing

@testable import HTTP

@Suite struct RouterTests {
  private static func say(_ text: String) -> Answer {
    .response(Response("text/plain", Array(text.utf8)))
  }

  private let router = Router<Int>([
    .get("/") { _, _, _ in say("root") },
    .get("/strips/{strip}") { context, _, path in say("\(context) \(path["strip"])") },
    .put("/strips/{strip}") { _, _, _ in say("put") },
    .delete("/strips/{strip}") { _, _, _ in say("delete") },
    .get("/strips/{strip}/items/{id}") { _, _, path in say("\(path["strip"]) \(path["id"])") },
    .post("/edits") { _, _, _ throws(Problem) in
      throw .badParameter("op", "There is no such operation.")
    },
  ])

  private func response(_ method: Method, _ target: String) -> Response {
    guard case .response(let response) = router.answer(Request(method, target), in: 7) else {
      preconditionFailure("These routes answer at once.")
    }
    return response
  }

  private func text(_ target: String) -> String {
    response(.get, target).body.bytes[...].text
  }

  @Test func `A path finds its route and fills its places`() {
    #expect(text("/") == "root")
    #expect(text("/strips/a?x=y") == "7 a")
    #expect(text("/strips/a/items/b") == "a b")
  }

  @Test func `A path is split before it is decoded`() {
    #expect(text("/strips/a%2Fb/items/c%20d+e") == "a/b c d+e")
    #expect(text("/%73trips/a") == "7 a")
  }

  @Test func `A path of no route is 404`() {
    for path in ["/strip", "/strips", "/strips/", "/strips//items/b", "/strips/a/", "//"] {
      #expect(response(.get, path).status == 404, "\(path)")
    }
  }

  @Test(arguments: ["/strips/%", "/strips/%ff", "/a%00b", "/%g0"])
  func `A path that is not percent-encoded text is 400`(_ path: String) {
    #expect(response(.get, path).status == 400)
  }

  @Test func `A method that a path does not know is 405 with those it does`() {
    #expect(response(.post, "/strips/a").status == 405)
    #expect(response(.post, "/strips/a")["Allow"] == "GET, HEAD, PUT, DELETE, OPTIONS")
    #expect(response(.get, "/edits")["allow"] == "POST, OPTIONS")
    #expect(response(.trace, "/").status == 405)
  }

  @Test func `OPTIONS says which methods a path knows`() {
    #expect(response(.options, "/strips/a").status == 204)
    #expect(response(.options, "/strips/a")["Allow"] == "GET, HEAD, PUT, DELETE, OPTIONS")
    #expect(response(.options, "*")["Allow"] == "GET, HEAD, POST, PUT, DELETE, OPTIONS")
  }

  @Test func `HEAD is answered as GET`() {
    #expect(response(.head, "/").status == 200)
    #expect(response(.head, "/edits").status == 405)
  }

  @Test func `A problem that a route throws is its answer`() {
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
