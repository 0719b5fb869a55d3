import Synchronization

/// One request, as a value.
///
///     let request = Request(.get, "/window?strip=albums&offset=1200")
///     request.path.text  // "/window"
package struct Request: Sendable {
  package let head: Head
  package let body: [UInt8]
  package let peer: Peer

  /// - Parameter peer: the address at the other end of the socket. It may be a proxy's.
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

/// The address that a request came from: IPv6, or IPv4 mapped to IPv6.
package struct Peer: Hashable, Sendable {
  /// The first and the last eight bytes of the address, in host byte order.
  private let high: UInt64
  private let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// - Parameter ipv4: the address as a number. The first byte is the highest.
  package init(ipv4: UInt32) {
    self.init(high: 0, low: 0xFFFF << 32 | UInt64(ipv4))
  }

  package static let unknown = Peer(high: 0, low: 0)
}

extension Peer: CustomStringConvertible {
  /// `192.0.2.1`, or the eight groups of an IPv6 address without abbreviation.
  package var description: String {
    if high == 0, low >> 32 == 0xFFFF {
      return [24, 16, 8, 0].map { String(low >> $0 & 0xFF) }.joined(separator: ".")
    }
    return [high, low].flatMap { half in
      [48, 32, 16, 0].map { String(half >> $0 & 0xFFFF, radix: 16) }
    }.joined(separator: ":")
  }
}

/// Makes ids for requests that have none: `5f3a-1`, `5f3a-2` and so on.
package final class RequestIDs: Sendable {
  private let number = Atomic(0)
  /// A random prefix. It distinguishes the ids of different processes.
  private let prefix = String(UInt64.random(in: 0...UInt64.max), radix: 16)

  package init() {}

  /// A unique id.
  package func next() -> String {
    "\(prefix)-\(number.wrappingAdd(1, ordering: .relaxed).newValue)"
  }
}
