import HTTP
import Testing

@Suite struct ResponseTests {
  private let response = Response("text/plain", [1], fields: CrossOrigin().fieldsForAnyOrigin)

  @Test
  func
    `a prepared response stays prepared with another status, but not with other fields or another body`()
  {
    let reusable = response.preparedForReuse()
    var other = reusable
    other.status = 304
    #expect(other.prepared === reusable.prepared)
    other.fields.append(Field("X", "y"))
    #expect(other.prepared == nil)
    other = reusable
    other.body = .empty
    #expect(other.prepared == nil)
    #expect(reusable.prepared != nil)
  }

  @Test
  func
    `a prepared response with CORS fields stays prepared for any origin, but not for a list of origins`()
  {
    let reusable = response.preparedForReuse()
    guard
      case .response(let answered) = CrossOrigin().handle(
        Request(.get, "/", headers: [("Origin", "https://a.example")]),
        by: { _ in .response(reusable) })
    else { preconditionFailure("This handler answers at once.") }
    #expect(answered.prepared === reusable.prepared)
    guard
      case .response(let narrowed) = CrossOrigin(.only(["https://a.example"])).handle(
        Request(.get, "/"), by: { _ in .response(reusable) })
    else { preconditionFailure("This handler answers at once.") }
    #expect(narrowed.prepared == nil)
  }

  @Test func `a problem escapes text in JSON`() {
    let body = Problem.notFound("No \"strip\"\\\n\u{1}é.").response.body.bytes[...].text
    #expect(body == #"{"status":404,"title":"Not Found","detail":"No \"strip\"\\\n\u0001é."}"#)
  }

  @Test func `a 503 has Retry-After`() {
    #expect(Problem.unavailable("Busy.", retryAfter: 3).response["Retry-After"] == "3")
  }
}
