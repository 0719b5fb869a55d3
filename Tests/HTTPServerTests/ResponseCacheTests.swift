import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct ReadyAnswerTests {
  /// Answers with the number of times that it was asked; its answers stand until it says no more.
  private final class App: Handler {
    let asked = Atomic(0)
    private let era = Atomic(0)
    private let tag = EntityTag("a")

    func answer(_ request: Request) -> Answer {
      let number = asked.add(1, ordering: .relaxed).newValue
      let bytes = Array("\(number) \(request.rawQuery.text)".utf8)
      let kept = Response("text/plain", bytes).tagged(tag).kept()
      var response = kept.unlessHeld(by: request, tag)
      let era = era.load(ordering: .relaxed)
      response.standing = CacheValidator { self.era.load(ordering: .relaxed) == era }
      return .response(response)
    }

    func change() { era.add(1, ordering: .relaxed) }
  }

  private let site = App()
  private let observer = Counter()
  private let daemon: RunningDaemon
  private let client: RawClient

  private final class Counter: Observer {
    let targets = Mutex<[String]>([])

    func answered(_ exchange: Exchange, by worker: Int) {
      targets.withLock { $0.append(exchange.request.head.rawTarget.text) }
    }

    func refused(_ refused: RejectedRequest) {}
  }

  init() throws {
    var options = ServerOptions()
    options.observers = [observer]
    daemon = RunningDaemon(options, handler: site)
    client = try daemon.client()
  }

  private func get(_ target: String, _ field: String = "X: y", method: String = "GET") -> String? {
    client.send("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
    let response = client.response(hasBody: method != "HEAD")
    return response.map { "\($0.status) \(String(decoding: $0.body, as: UTF8.self))" }
  }

  @Test func `The same head gets the same answer, unasked, and is counted each time`() {
    for _ in 0..<5 { #expect(get("/a?b=c") == "200 1 b=c") }
    #expect(site.asked.load(ordering: .relaxed) == 1)
    #expect(observer.targets.withLock { $0 } == Array(repeating: "/a?b=c", count: 5))
  }

  @Test func `Another head is asked for, however small the difference`() {
    let heads: [(String, String, String)] = [
      ("/a?b=c", "X: y", "GET"), ("/a?c=b", "X: y", "GET"), ("/a?a=c", "X: y", "GET"),
      ("/a/b=c", "X: y", "GET"), ("/a?b=c", "X: z", "GET"), ("/a?b=c", "X: y", "HEAD"),
      ("/a?b=c", "If-None-Match: \"a\"", "GET"),
    ]
    let first = heads.map { get($0.0, $0.1, method: $0.2) }
    #expect(Set(first).count == heads.count)
    #expect(site.asked.load(ordering: .relaxed) == heads.count)
    #expect(heads.map { get($0.0, $0.1, method: $0.2) } == first)
    #expect(site.asked.load(ordering: .relaxed) == heads.count)
  }

  @Test func `It is asked again when the answer no longer stands`() {
    for _ in 0..<2 { #expect(get("/") == "200 1 ") }
    site.change()
    for _ in 0..<2 { #expect(get("/") == "200 2 ") }
  }

  @Test func `Each time it says what time it is`() throws {
    // Until the second has changed once, and what is kept has had to follow.
    var seconds: Set<String> = []
    let deadline = ContinuousClock.now + .seconds(10)
    while seconds.count < 2, ContinuousClock.now < deadline {
      let before = DateText.now
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let date = try #require(client.response()?["date"])
      #expect([before, DateText.now].contains(date))
      seconds.insert(date)
    }
    #expect(seconds.count == 2)
    #expect(site.asked.load(ordering: .relaxed) == 1)
  }

  @Test func `A request with a body is read each time`() {
    for number in 1...3 {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n\(number)")
      #expect(client.response()?.body == Array("\(number) ".utf8))
    }
  }

  @Test func `A daemon that is stopping says so even with what it has ready`() throws {
    _ = get("/")
    let idle = try daemon.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n")
    let stopping = try Background { [daemon] in daemon.stop() }
    // Idle connections are closed once it stops.
    #expect(idle.isClosed())
    client.send("\r\n")
    let response = client.response()
    #expect(response?.closes == true)
    #expect(response?.body == Array("1 ".utf8))
    stopping.join()
  }
}

extension DateText {
  /// What `Date` says of now.
  fileprivate static var now: String {
    String(decoding: DateClock().now.bytes, as: UTF8.self)
  }
}

@Suite struct ReadyAnswersTests {
  /// The answer to a head of these bytes, whose body has `count`.
  private static func withAnswer<Result>(
    to text: String, count: Int = 1, _ body: (CachedResponse, WireHead) -> Result
  ) -> Result {
    text.withCString { start in
      let head = WireHead(method: start, version: start, count: text.utf8.count, mark: nil)
      guard let key = ResponseCache.key(of: head),
        let answer = CachedResponse(
          key, head.memory, Request(.get, "/"),
          Response("text/plain", [UInt8](repeating: 0, count: count)),
          standing: CacheValidator { true }, at: DateText(second: 0))
      else { preconditionFailure("The head is short.") }
      return body(answer, head)
    }
  }

  private static func found(_ numbers: Range<Int>, in answers: ResponseCache) -> [Int] {
    numbers.filter { number in
      withAnswer(to: "head \(number)") { answers.find($0.key, $1) != nil }
    }
  }

  @Test func `A thousand are kept beside one another`() {
    let answers = ResponseCache()
    for number in 0..<1000 { Self.withAnswer(to: "head \(number)") { a, _ in answers.keep(a) } }
    #expect(Self.found(0..<1000, in: answers).count > 950)
  }

  @Test func `Memory is bounded by what they come to`() {
    let answers = ResponseCache(limit: 100_000)
    for number in 0..<100 {
      Self.withAnswer(to: "head \(number)", count: 10_000) { a, _ in answers.keep(a) }
    }
    let kept = Self.found(0..<100, in: answers)
    #expect(kept.contains(99))
    #expect(kept.count < 10)
    Self.withAnswer(to: "head 100", count: 1 << 20) { a, _ in answers.keep(a) }
    #expect(Self.found(100..<101, in: answers).isEmpty)
  }
}
