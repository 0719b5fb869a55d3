private import Glibc
import HTTP

/// A connection of a proxy whose PROXY header has not arrived completely.
struct AwaitedProxyHeader {
  enum Outcome {
    case incomplete, malformed, closed
    /// The header's source address, or the address of the proxy if the header has none.
    case complete(SocketAddress)
  }

  let socket: Int32
  let proxy: SocketAddress
  let deadline: ContinuousClock.Instant
  /// The bytes of the header that are already read from the socket.
  private var bytes: [UInt8] = []

  init(_ socket: Int32, from proxy: SocketAddress, seconds: Int) {
    self.socket = socket
    self.proxy = proxy
    deadline = .now + .seconds(seconds)
  }

  /// Reads the bytes of the header that have arrived, and no byte after the header.
  mutating func read() -> Outcome {
    var chunk = [UInt8](repeating: 0, count: 512)
    while true {
      let count = recv(socket, &chunk, chunk.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return .incomplete }
      guard count > 0 else { return .closed }
      let header = ProxyHeader(bytes + chunk[..<count])
      let own =
        if case .complete(let end, _) = header { end - bytes.count } else { count }
      guard recv(socket, &chunk, own, Int32(MSG_DONTWAIT)) == own else { return .closed }
      bytes += chunk[..<own]
      switch header {
      case .incomplete: continue
      case .malformed: return .malformed
      case .complete(_, let source): return .complete(source.map { SocketAddress($0) } ?? proxy)
      }
    }
  }
}
