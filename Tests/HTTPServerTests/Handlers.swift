import Dispatch
import HTTP
import Synchronization

/// Answers with the parts of the request, so that a test can check them.
struct EchoHandler: Handler {
  func handle(_ request: Request) -> HandlerResult {
    var lines = ["\(request.method.rawValue) \(request.path.text) ? \(request.rawQuery.text)"]
    for line in FieldLines(request.head) { lines.append("\(line.name.text)=\(line.value.text)") }
    lines.append("body=\(String(decoding: request.body.prefix(64), as: UTF8.self))")
    lines.append("count=\(request.body.count)")
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let tag = EntityTag(Fingerprint(bytes))
    return .response(
      Response("text/plain", bytes, fields: [Field("ETag", tag.value)])
        .conditional(on: request, tag))
  }
}

/// Answers each request with the same response.
struct FixedHandler: Handler {
  let response: Response
  init(_ response: Response) { self.response = response }
  func handle(_ request: Request) -> HandlerResult { .response(response) }
}

/// Accepts bodies of up to 1 MB.
struct LargeBodyHandler: Handler {
  func handle(_ request: Request) -> HandlerResult { .response(Response("text/plain", [1])) }
  func largeBody(after head: Head) -> LargeBody? { LargeBody(limit: 1_000_000) }
}

/// Reads bodies of up to 1 MB, and holds one byte in ten. Answers the number of bytes that it read.
struct ReadingHandler: Handler {
  private final class Reader: BodyReader {
    let count = Mutex(0)
    let fault: String? = nil

    func read(_ part: UnsafeRawBufferPointer) -> Int {
      count.withLock {
        $0 += part.count
        return $0 / 10
      }
    }
  }

  func handle(_ request: Request) -> HandlerResult {
    let count = (request.reader as? Reader)?.count.withLock { $0 }
    let text = "read \(count ?? 0), collected \(request.body.count)"
    return .response(Response("text/plain", Array(text.utf8)))
  }

  func largeBody(after head: Head) -> LargeBody? { LargeBody(limit: 1_000_000) { _ in Reader() } }
}

/// Answers each request with a new body of `count` bytes, at once or from another thread, where it can be a change.
struct NewBodyHandler: Handler {
  let count: Int
  let isDeferred: Bool
  let isChange: Bool

  init(_ count: Int, isDeferred: Bool = false, isChange: Bool = false) {
    self.count = count
    self.isDeferred = isDeferred
    self.isChange = isChange
  }

  func handle(_ request: Request) -> HandlerResult {
    let response = Response("text/plain", [UInt8](repeating: 1, count: count))
    guard isDeferred else { return .response(response) }
    return .deferred { [isChange] responder in
      DispatchQueue.global().async {
        if isChange { _ = responder.beginCommit(orAtStop: .unavailable("It is unknown.")) }
        responder(response)
      }
    }
  }
}

/// Answers from another thread.
struct DeferringHandler: Handler {
  func handle(_ request: Request) -> HandlerResult {
    .deferred { responder in
      DispatchQueue.global().async { responder(Response("text/plain", [1, 2, 3])) }
    }
  }
}

/// Answers when the test calls `answerAll`.
final class HoldingHandler: Handler {
  private let waiting = Mutex<[Responder]>([])

  func handle(_ request: Request) -> HandlerResult {
    .deferred { responder in self.waiting.withLock { $0.append(responder) } }
  }

  /// The number of requests that wait.
  var count: Int { waiting.withLock { $0.count } }

  /// Begins the work of a request that waits.
  func beginCommit(_ index: Int, orAtStop problem: Problem) -> Bool {
    waiting.withLock { $0[index] }.beginCommit(orAtStop: problem)
  }

  func answerAll(_ response: Response = Response("text/plain", [1])) {
    let responders = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for responder in responders { responder(response) }
  }
}

/// Records what the server reports.
final class Recorder: Observer {
  private let state = Mutex((exchanges: [Exchange](), rejections: [RejectedRequest]()))

  func completed(_ exchange: Exchange) {
    state.withLock { $0.exchanges.append(exchange) }
  }

  func rejected(_ request: RejectedRequest) { state.withLock { $0.rejections.append(request) } }

  var exchanges: [Exchange] { state.withLock { $0.exchanges } }
  var rejections: [RejectedRequest] { state.withLock { $0.rejections } }
}
