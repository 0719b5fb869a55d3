import Testing

@testable import HTTP

@Suite struct ProblemTests {
  @Test func `What a client sent is escaped`() {
    let body = Problem.notFound("No \"strip\"\\\n\u{1}é.").response.body.bytes[...].text
    #expect(body == #"{"status":404,"title":"Not Found","detail":"No \"strip\"\\\n\u0001é."}"#)
  }

  @Test func `503 says when to come again`() {
    #expect(Problem.unavailable("Busy.", retryAfter: 3).response["Retry-After"] == "3")
  }

  @Test func `Each refusal has a status of its own meaning and a title`() {
    for refusal in RejectionReason.allCases {
      #expect((400...505).contains(refusal.status))
      #expect(!refusal.problem.title.hasPrefix("Status"))
    }
  }
}
