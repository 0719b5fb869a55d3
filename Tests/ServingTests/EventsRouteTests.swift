import Catalogue
import HTTP
import Items
import Serving
import Synchronization
import Testing
import Views
import Windowing

struct EventsRouteTests {
  /// What has been sent so far.
  private func sent(_ response: Response) -> String {
    guard case .events(let stream) = response.body else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { stream.read(into: $0) { {} } }
    return String(decoding: bytes[..<(count ?? 0)], as: UTF8.self)
  }

  private func end(_ response: Response) {
    if case .events(let stream) = response.body { stream.end() }
  }

  private static func app() throws -> App {
    try ServingTests.app(
      MemoryCatalogue(
        ["a", "b"].map { try Snapshot(name: $0, revision: 7, items: [Item(id: "x")]) }))
  }

  @Test func `a stream begins with the revision of each strip`() throws {
    let response = try Self.app().get("/events?strips=a,b")
    #expect(response["Content-Type"] == "text/event-stream")
    #expect(
      sent(response) == """
        event: revision
        data: {"strip":"a","revision":7}

        event: revision
        id: 7,7
        data: {"strip":"b","revision":7}


        """)
    end(response)
  }

  @Test func `a stream does not repeat the last event`() throws {
    let app = try Self.app()
    let known = app.get("/events?strips=a,b", [("Last-Event-ID", "7,6")])
    #expect(!sent(known).contains("\"a\""))
    let strange = app.get("/events?strips=a", [("Last-Event-ID", "banana")])
    #expect(sent(strange).contains("\"a\""))
    #expect(app.feed.count == 2)
    end(known)
    end(strange)
    #expect(app.feed.count == 0)
  }

  @Test func `a stream of the most strips sends a change of each`() throws {
    let names = Self.longNames(Limits.strips)
    let app = try ServingTests.app(
      MemoryCatalogue(names.map { try Snapshot(name: $0, revision: .max, items: [Item(id: "x")]) }))
    let known = names.map { _ in String(Int64.max - 1) }.joined(separator: ",")
    let response = app.get(
      "/events?strips=" + names.joined(separator: ","), [("Last-Event-ID", known)])
    var text = ""
    while case let part = sent(response), !part.isEmpty { text += part }
    #expect(text.split(separator: "event: revision").count == Limits.strips)
    end(response)
  }

  @Test func `a stream that ends with its first events is not kept`() throws {
    let names = Self.longNames(2000)
    let feed = RevisionFeed(try MemoryCatalogue([]))
    let newest = Dictionary(uniqueKeysWithValues: names.map { ($0, Int64.max) })
    _ = feed.subscribe(to: names, at: newest, after: nil)
    #expect(feed.count == 0)
  }

  private static func longNames(_ count: Int) -> [String] {
    (0..<count).map { number in
      let digits = String(number)
      return String(repeating: "a", count: 64 - digits.count) + digits
    }
  }

  @Test func `the response to HEAD has the same head and no stream`() throws {
    let app = try Self.app()
    let response = app.response(to: Request(.head, "/events?strips=a"))
    guard case .events = response.body else {
      Issue.record("There is no stream.")
      return
    }
    let listened = app.get("/events?strips=a")
    #expect(response.fields.map(\.value) == listened.fields.map(\.value))
    end(listened)
    #expect(app.feed.count == 0)
  }

  @Test(arguments: [
    ("", 400), ("?strips=", 400), ("?strips=a,,b", 400), ("?strips=a,a", 400),
    ("?strips=A", 400), ("?strips=a,none", 404),
  ])
  func `a wrong list of strips is rejected and named`(query: String, status: Int) throws {
    let app = try Self.app()
    let response = app.get("/events" + query)
    #expect(response.status == status)
    #expect(response.json["parameter"] as? String == "strips")
    #expect(app.feed.count == 0)
  }

  @Test func `with an interval all streams announce the same revision in it`() throws {
    let seconds = Atomic(60)
    let feed = RevisionFeed(try MemoryCatalogue([]), every: 30) {
      Int64(seconds.load(ordering: .relaxed)) * 1_000_000
    }
    func announced(at second: Int, newest: Int64) -> String {
      seconds.store(second, ordering: .relaxed)
      let response = Response.events(feed.subscribe(to: ["a"], at: ["a": newest], after: nil))
      defer { end(response) }
      return sent(response)
    }
    #expect(announced(at: 60, newest: 7).contains(#""revision":7"#))
    #expect(announced(at: 89, newest: 9).contains(#""revision":7"#))
    #expect(announced(at: 90, newest: 9).contains(#""revision":9"#))
    #expect(announced(at: 30, newest: 10).contains(#""revision":10"#))
  }

  @Test func `a stream has one event a second and strip, of the newest revision`() {
    let stream = EventStream()
    var subscription = Subscription(["a", "b"], after: nil, on: stream)
    let start = ContinuousClock.now
    func count(_ revision: Int64, after time: Duration) -> Int {
      subscription.events(of: ["a": revision, "b": 1], at: start + time).events.count
    }
    #expect(count(1, after: .zero) == 2)
    #expect(count(1, after: .seconds(2)) == 0)
    #expect(count(2, after: .seconds(3)) == 1)
    #expect(count(3, after: .milliseconds(3900)) == 0)
    #expect(count(4, after: .milliseconds(4000)) == 1)
    #expect(count(4, after: .seconds(9)) == 0)
  }
}
