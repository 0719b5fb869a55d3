/// What a handler says to a request: the response, or that it comes later.
package enum Answer: Sendable {
  case response(Response)
  /// The connection is set aside and no thread waits; the closure is called once, at once, and
  /// hands over the response, once, from whatever thread has made it.
  case later(@Sendable (Responder) -> Void)

  /// This answer with its response, now or later, changed by `transform`.
  package consuming func map(
    _ transform: @escaping @Sendable (consuming Response) -> Response
  ) -> Answer {
    switch consume self {
    case .response(let response):
      .response(transform(response))
    case .later(let start):
      .later { delivery in start(delivery.after(transform)) }
    }
  }
}

extension Answer {
  /// Delivers the response, now or when it is there.
  package consuming func give(_ delivery: Responder) {
    switch consume self {
    case .response(let response): delivery(response)
    case .later(let start): start(delivery)
    }
  }

  /// This answer, as that of the route `name`.
  consuming func named(_ name: StaticString) -> Answer {
    switch consume self {
    case .response(var response):
      response.route = name
      return .response(response)
    case let later:
      return later.map { response in
        var named = response
        named.route = name
        return named
      }
    }
  }
}

/// What answers requests: a router, a folder of files, a wrapper around either.
package protocol Handler: Sendable {
  /// Called on the daemon's threads, several at once; it must not wait for anything.
  func answer(_ request: Request) -> Answer

  /// What is said to a client that asks before it sends the body of `request` (RFC 9110 section
  /// 10.1.1): ``Response/goOn``, or the answer that makes the body needless.
  func answer(beforeBodyOf request: Request) -> Answer

  /// What the refusal of a request says beside why, which never came here.
  func fields(refusing glimpse: PartialHead) -> [Field]
}

extension Handler {
  package func fields(refusing glimpse: PartialHead) -> [Field] { [] }

  package func answer(beforeBodyOf request: Request) -> Answer { .response(.goOn) }
}

extension Response {
  /// 100: the body may come.
  package static let goOn = Response(status: 100)
}
