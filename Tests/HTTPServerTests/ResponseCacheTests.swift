import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct CachedResponseTests {
  /// Answers with the number of its calls. Its responses are valid until `invalidate` is called.
  private final class CountingHandler: Handler {
    let calls = Atomic(0)
    private let version = Atomic(0)
    private let tag = EntityTag("a")

    func answer(_ request: Request) -> Answer {
      let number = calls.add(1, ordering: .relaxed).newValue
      let bytes = Array("\(number) \(request.rawQuery.text)".utf8)
      let reusable = Response("text/plain", bytes).tagged(tag).preparedForReuse()
      var response = reusable.conditional(on: request, tag)
      let version = version.load(ordering: .relaxed)
      response.cacheValidator = CacheValidator { self.version.load(ordering: .relaxed) == version }
      return .response(response)
    }

    func invalidate() { version.add(1, ordering: .relaxed) }
  }

  private let handler = CountingHandler()
  private let recorder = Recorder()
  private let server: RunningServer
  private let client: RawClient

  init() throws {
    var options = ServerOptions()
    options.observers = [recorder]
    server = RunningServer(options, handler: handler)
    client = try server.client()
  }

  private func get(_ target: String, _ field: String = "X: y", method: String = "GET") -> String? {
    client.send("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
    let response = client.response(hasBody: method != "HEAD")
    return response.map { "\($0.status) \(String(decoding: $0.body, as: UTF8.self))" }
  }

  @Test func `an equal head gets the cached response and is reported each time`() {
    for _ in 0..<5 { #expect(get("/a?b=c") == "200 1 b=c") }
    #expect(handler.calls.load(ordering: .relaxed) == 1)
    #expect(
      recorder.exchanges.map(\.request.head.rawTarget.text) == Array(repeating: "/a?b=c", count: 5))
  }

  @Test func `a head with any difference gets its own response`() {
    let heads: [(String, String, String)] = [
      ("/a?b=c", "X: y", "GET"), ("/a?c=b", "X: y", "GET"), ("/a?a=c", "X: y", "GET"),
      ("/a/b=c", "X: y", "GET"), ("/a?b=c", "X: z", "GET"), ("/a?b=c", "X: y", "HEAD"),
      ("/a?b=c", "If-None-Match: \"a\"", "GET"),
    ]
    let first = heads.map { get($0.0, $0.1, method: $0.2) }
    #expect(Set(first).count == heads.count)
    #expect(handler.calls.load(ordering: .relaxed) == heads.count)
    #expect(heads.map { get($0.0, $0.1, method: $0.2) } == first)
    #expect(handler.calls.load(ordering: .relaxed) == heads.count)
  }

  @Test func `an invalid response is not reused`() {
    for _ in 0..<2 { #expect(get("/") == "200 1 ") }
    handler.invalidate()
    for _ in 0..<2 { #expect(get("/") == "200 2 ") }
  }

  @Test func `a cached response has the current date`() throws {
    // The requests go on until the second has changed once.
    var seconds: Set<String> = []
    let hasChanged = try waitUntil {
      let before = HTTPDate.now
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let date = try #require(client.response()?["date"])
      #expect([before, HTTPDate.now].contains(date))
      seconds.insert(date)
      return seconds.count == 2
    }
    #expect(hasChanged)
    #expect(handler.calls.load(ordering: .relaxed) == 1)
  }

  @Test func `a response to a request with a body is not cached`() {
    for number in 1...3 {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n\(number)")
      #expect(client.response()?.body == Array("\(number) ".utf8))
    }
  }

  @Test func `a cached response closes the connection during a stop`() throws {
    _ = get("/")
    let idle = try server.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n")
    let stopping = try Background { [server] in server.stop() }
    // The stop closes idle connections.
    #expect(idle.isClosed())
    client.send("\r\n")
    let response = client.response()
    #expect(response?.closes == true)
    #expect(response?.body == Array("1 ".utf8))
    stopping.join()
  }
}

extension HTTPDate {
  /// The current date.
  fileprivate static var now: String {
    String(decoding: DateClock().now.bytes, as: UTF8.self)
  }
}

@Suite struct ResponseCacheTests {
  /// Calls `body` with a response to the head `text`. Its body has `count` bytes.
  private static func withResponse<Result>(
    to text: String, count: Int = 1, _ body: (CachedResponse, WireHead) -> Result
  ) -> Result {
    text.withCString { start in
      let head = WireHead(method: start, version: start, count: text.utf8.count, hiddenQuery: nil)
      guard let key = ResponseCache.key(of: head),
        let response = CachedResponse(
          key, head.memory, Request(.get, "/"),
          Response("text/plain", [UInt8](repeating: 0, count: count)),
          validator: CacheValidator { true }, at: HTTPDate(second: 0))
      else { preconditionFailure("The head is short.") }
      return body(response, head)
    }
  }

  private static func found(_ numbers: Range<Int>, in cache: ResponseCache) -> [Int] {
    numbers.filter { number in
      withResponse(to: "head \(number)") { cache.find($0.key, $1) != nil }
    }
  }

  @Test func `the cache holds a thousand responses`() {
    let cache = ResponseCache()
    for number in 0..<1000 {
      Self.withResponse(to: "head \(number)") { response, _ in cache.store(response) }
    }
    #expect(Self.found(0..<1000, in: cache).count > 950)
  }

  @Test func `the limit bounds the memory of all responses`() {
    let cache = ResponseCache(limit: 100_000)
    for number in 0..<100 {
      Self.withResponse(to: "head \(number)", count: 10_000) { response, _ in cache.store(response)
      }
    }
    let found = Self.found(0..<100, in: cache)
    #expect(found.contains(99))
    #expect(found.count < 10)
    Self.withResponse(to: "head 100", count: 1 << 20) { response, _ in cache.store(response) }
    #expect(Self.found(100..<101, in: cache).isEmpty)
  }
}
