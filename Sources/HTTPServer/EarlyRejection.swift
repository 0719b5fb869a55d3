private import Glibc
import HTTP

/// A refusal that is written to a socket directly, where the library can send none: before it has
/// the connection, or in the middle of a body.
struct EarlyRejection: Sendable {
  private let line: String
  private let rest: String

  init(_ refusal: RejectionReason) {
    let problem = refusal.problem
    let response = problem.response
    line = "HTTP/1.1 \(problem.status) \(problem.title)\r\n"
    var head = "Connection: close\r\n"
    for field in response.fields { head += "\(field.name): \(field.value)\r\n" }
    head += "X-Content-Type-Options: nosniff\r\nContent-Length: \(response.body.count)\r\n\r\n"
    rest = head + response.body.bytes[...].text
  }

  static let tooSlow = EarlyRejection(.tooSlow)
  static let tooManyConnections = EarlyRejection(.tooManyConnections)

  /// Writes as much as the socket takes at once, which for a new one is all, and says that no more
  /// comes. `id` is the request's, where it has one; `fields` go along with its own.
  func send(to socket: Int32, id: String? = nil, adding fields: [Field]) {
    var more = "Date: \(DateText(second: time(nil)).bytes[...].text)\r\n"
    if let id { more += "X-Request-Id: \(id)\r\n" }
    for field in fields { more += "\(field.name): \(field.value)\r\n" }
    _ = Array((line + more + rest).utf8).withUnsafeBytes { buffer in
      Glibc.send(
        socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    shutdown(socket, Int32(SHUT_WR))
  }
}
