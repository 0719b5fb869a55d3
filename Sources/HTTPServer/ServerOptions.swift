package import HTTP

package struct ServerOptions: Sendable {
  /// A host name or an address. `0.0.0.0` and `::` listen on all addresses of the machine.
  package var host = "127.0.0.1"
  /// 0 for a free port.
  package var port = 8080
  package var threads = 1
  package var parser = HeadParser()
  /// The most bytes of a body, unless the handler accepts more.
  package var bodyLimit = 1024 * 1024
  /// A further connection gets 503. The process's limit of open files can lower this.
  package var connectionLimit = 4096
  package var proxies = TrustedProxies()
  /// 0 for no limit. For a client behind `proxies`, this limits open requests instead of connections.
  package var connectionLimitPerAddress = 0
  /// The most bytes of request bodies in memory: the limit of ``BodyBudget``, at least `bodyLimit`.
  package var bodyBudget = 64 * 1024 * 1024
  /// The most bytes of response bodies that are being sent. 503 replaces a response that exceeds
  /// it.
  package var responseBudget = 256 * 1024 * 1024
  package var deadlines = Deadlines()
  /// A further event stream gets 503.
  package var streamLimit = 1024
  /// Seconds between the heartbeats of an event stream.
  package var heartbeat = 15

  /// Nil for no ids, which saves a header in each response.
  package var requestIDs: RequestIDs?
  package var observers: [any Observer] = []
  /// A listening socket to use instead of `host` and `port`. The server closes it.
  package var listeningSocket: Int32?

  package init() {}

  /// The bytes that libmicrohttpd reads of a request before the server handles them: the largest head, a record of
  /// each field, and the head of the response share this memory.
  var connectionMemory: Int { parser.headLimit + (parser.fieldLimit + 4) * 64 + 2048 }
}

/// In seconds. The server closes the connection of a client that exceeds them.
package struct Deadlines: Sendable {
  /// The seconds from a new connection, or from a request's first line, to the end of the head.
  package var head = 10
  /// The seconds from the head to the end of the body. From `head` seconds on, the body must also have arrived
  /// at `minimumRate` on average.
  package var body = 30
  /// The seconds to read a response, plus the response's size divided by `minimumRate`.
  package var response = 30
  /// The minimum rate of a client, in bytes a second.
  package var minimumRate = 16 * 1024
  /// Between a response and the next request, and between any two bytes.
  package var idle = 60

  package init() {}

  /// Nil if `phase`, in which `count` bytes are sent or have arrived, does not depend on the client.
  func seconds(in phase: Phase, of count: Int) -> Int? {
    switch phase {
    case .opened, .head: head
    case .body: min(body, head + count / max(minimumRate, 1))
    case .handling, .streaming: nil
    case .sending: response + count / max(minimumRate, 1)
    case .idle: idle
    case .rejected: 0
    }
  }
}
