private import Glibc
import HTTP

/// A refusal that is written to a socket directly, where the library can send none: before it has
/// the connection, or in the middle of a body.
struct EarlyRefusal: Sendable {
  let refusal: Refusal
  private let text: [UInt8]

  private init(_ refusal: Refusal) {
    self.refusal = refusal
    let problem = refusal.problem
    let response = problem.response
    var head = "HTTP/1.1 \(problem.status) \(problem.title)\r\nConnection: close\r\n"
    for field in response.fields { head += "\(field.name): \(field.value)\r\n" }
    head += "X-Content-Type-Options: nosniff\r\nContent-Length: \(response.body.count)\r\n\r\n"
    text = Array(head.utf8) + response.body.bytes
  }

  static let bodyTooLarge = EarlyRefusal(.bodyTooLarge)
  static let tooSlow = EarlyRefusal(.tooSlow)
  static let noRoomForBody = EarlyRefusal(.noRoomForBody)
  static let tooManyConnections = EarlyRefusal(.tooManyConnections)

  /// Writes as much as the socket takes at once, which for a new one is all, and says that no more
  /// comes.
  func send(to socket: Int32) {
    _ = text.withUnsafeBytes { buffer in
      Glibc.send(
        socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    shutdown(socket, Int32(SHUT_WR))
  }
}
