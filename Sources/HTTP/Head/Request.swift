import Synchronization

/// One request, as a value.
///
///     let request = Request(.get, "/window?strip=albums&offset=1200")
///     request.path.text  // "/window"
package struct Request: Sendable {
  package let head: Head
  package let body: [UInt8]
  package let peer: Peer

  /// - Parameter peer: the address of the client, or of a proxy that is not trusted.
  package init(head: Head, body: [UInt8] = [], peer: Peer = .unknown) {
    self.head = head
    self.body = body
    self.peer = peer
  }

  package var method: Method { head.method }

  /// The path as sent. Split it at `/` before you decode it.
  package var path: Bytes { head.path }

  /// The query as sent. ``Query`` parses it.
  package var rawQuery: Bytes { head.query }

  /// The value of the first header `name`, which is in lower case. Nil if there is none.
  package subscript(_ name: StaticString) -> Bytes? { head.value(of: name) }
}

extension Request {
  /// The request that a client would send with these parts, for tests.
  ///
  /// It gets a `Host`, and a `Content-Length` if it has a body.
  ///
  /// - Precondition: ``HeadParser`` accepts the head.
  package init(
    _ method: Method, _ target: String, headers: [(String, String)] = [], body: [UInt8] = []
  ) {
    var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    do {
      self.init(head: try HeadParser().parse(Array("\(text)\r\n".utf8)), body: body)
    } catch {
      preconditionFailure("HeadParser rejects this request. \(error.rawValue)")
    }
  }
}

/// Makes ids for requests that have none: `5f3a-1`, `5f3a-2` and so on.
package final class RequestIDs: Sendable {
  private let number = Atomic(0)
  /// A random prefix. It distinguishes the ids of different processes.
  private let prefix = String(UInt64.random(in: 0...UInt64.max), radix: 16)

  package init() {}

  package func next() -> String {
    "\(prefix)-\(number.wrappingAdd(1, ordering: .relaxed).newValue)"
  }
}
