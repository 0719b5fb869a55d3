import Catalogue
import HTTP
import Synchronization
import Testing
import Windowing

@testable import Serving

@Suite("GET /events")
struct EventsRouteTests {
  /// What has been sent so far.
  private func sent(_ response: Response) -> String {
    guard case .events(let stream) = response.body else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let piece = bytes.withUnsafeMutableBytes { stream.read(into: $0) { {} } }
    guard case .bytes(let count) = piece else { return "" }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func end(_ response: Response) {
    if case .events(let stream) = response.body { stream.end() }
  }

  private static func site() throws -> App {
    try ServingTests.site(
      MemoryCatalogue(
        ["a", "b"].map { try Edition(name: $0, revision: 7, items: [Item(id: "x")]) }))
  }

  @Test("tells at once where each strip is")
  func start() throws {
    let response = try Self.site().get("/events?strips=a,b")
    #expect(response["Content-Type"] == "text/event-stream")
    #expect(
      sent(response) == """
        event: revision
        id: 7,
        data: {"strip":"a","revision":7}

        event: revision
        id: 7,7
        data: {"strip":"b","revision":7}


        """)
    end(response)
  }

  @Test("does not tell again what the last event said")
  func lastEvent() throws {
    let site = try Self.site()
    let known = try site.get("/events?strips=a,b", [("Last-Event-ID", "7,6")])
    #expect(!sent(known).contains("\"a\""))
    let strange = try site.get("/events?strips=a", [("Last-Event-ID", "banana")])
    #expect(sent(strange).contains("\"a\""))
    #expect(site.feed.count == 2)
    end(known)
    end(strange)
    #expect(site.feed.count == 0)
  }

  @Test("answers a HEAD with the same head, and nobody listens")
  func head() throws {
    let site = try Self.site()
    guard
      case .response(let response) = site.answer(Request(.head, "/events?strips=a")),
      case .events = response.body
    else { throw App.Unanswered() }
    let listened = try site.get("/events?strips=a")
    #expect(response.fields.map(\.value) == listened.fields.map(\.value))
    end(listened)
    #expect(site.feed.count == 0)
  }

  @Test(
    "names what is wrong with strips",
    arguments: [
      ("", 400), ("?strips=", 400), ("?strips=a,,b", 400), ("?strips=a,a", 400),
      ("?strips=A", 400), ("?strips=a,none", 404),
    ])
  func refusals(query: String, status: Int) throws {
    let site = try Self.site()
    let response = try site.get("/events" + query)
    #expect(response.status == status)
    #expect(response.json["parameter"] as? String == "strips")
    #expect(site.feed.count == 0)
  }

  @Test("tells a change, a second after the last, and only the newest")
  func changes() {
    let stream = EventStream()
    var listener = RevisionListener(["a", "b"], after: nil, on: stream)
    let start = ContinuousClock.now
    func count(_ revision: Int64, after time: Duration) -> Int {
      listener.events(of: ["a": revision, "b": 1], at: start + time).events.count
    }
    #expect(count(1, after: .zero) == 2)
    #expect(count(1, after: .seconds(2)) == 0)
    #expect(count(2, after: .seconds(3)) == 1)
    #expect(count(3, after: .milliseconds(3900)) == 0)
    #expect(count(4, after: .milliseconds(4000)) == 1)
    #expect(count(4, after: .seconds(9)) == 0)
  }
}
