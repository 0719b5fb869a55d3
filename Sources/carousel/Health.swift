import ArgumentParser
import Glibc

/// `carousel health`: asks a running server whether it is ready, as a container's health check.
struct Health: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Ask a running server whether it is ready.")

  @Option(help: "The address that the server listens on.")
  var host = "127.0.0.1"

  @Option(parsing: .unconditional, help: "The port that the server listens on.")
  var port = 8080

  mutating func validate() throws {
    guard (1...65_535).contains(port) else {
      throw ValidationError("--port must be from 1 to 65535")
    }
  }

  func run() throws {
    // A server that listens everywhere listens here.
    let host = ["0.0.0.0", "::", "*"].contains(host) ? "127.0.0.1" : host
    guard let head = ask(host) else {
      throw Failure.unavailable("nothing answers at \(host):\(port): is the server running there?")
    }
    guard head.hasPrefix("HTTP/1.1 200") else {
      throw Failure.unavailable("the server at \(host):\(port) is not ready: \(head)")
    }
    try StandardOutput.write(line: "ready")
  }

  /// The first line of the answer to `GET /readyz`; nil when there is none within three seconds.
  private func ask(_ host: String) -> String? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
      return nil
    }
    defer { freeaddrinfo(found) }
    let connection = socket(address.pointee.ai_family, address.pointee.ai_socktype, 0)
    guard connection >= 0 else { return nil }
    defer { close(connection) }
    var limit = timeval(tv_sec: 3, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    guard connect(connection, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
      return nil
    }
    let request = Array("GET /readyz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8)
    guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { return nil }
    var answer = [UInt8](repeating: 0, count: 1024)
    let count = recv(connection, &answer, answer.count, 0)
    guard count > 0 else { return nil }
    return answer[..<count].split(separator: UInt8(ascii: "\r")).first
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
