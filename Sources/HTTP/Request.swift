/// One request, as a value.
///
///     let request = Request(.get, "/window?strip=albums&offset=1200")
///     try request.query["offset"]?.text  // "1200"
package struct Request: Sendable {
  package let head: Head
  package let body: [UInt8]
  package let peer: Peer

  /// The request with the `head` that the gate let through, sent by `peer` as far as the socket
  /// tells.
  package init(head: Head, body: [UInt8] = [], peer: Peer = .unknown) {
    self.head = head
    self.body = body
    self.peer = peer
  }

  package var method: Method { head.method }

  /// The path as sent, not decoded: split it at `/` first.
  package var path: Bytes { head.path }

  /// The query as sent, to be read with ``Query``.
  package var rawQuery: Bytes { head.query }

  /// The value of the first header named `name`, which is in lower case.
  package subscript(_ name: StaticString) -> Bytes? { head.value(of: name) }
}

extension Request {
  /// The request that a client would send with these parts; for tests and for warming up.
  ///
  /// `Host` and `Content-Length` are added. What the gate would refuse is a mistake of the caller.
  package init(
    _ method: Method, _ target: String, headers: [(String, String)] = [], body: [UInt8] = []
  ) {
    var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    do {
      self.init(head: try HeadParser().admit(Array("\(text)\r\n".utf8)), body: body)
    } catch {
      preconditionFailure("The gate refuses this request. \(error.rawValue)")
    }
  }
}
