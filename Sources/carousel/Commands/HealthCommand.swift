import ArgumentParser
import Catalogue
import Glibc
import Items

struct HealthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health", abstract: "Check whether a running server is ready.",
    discussion: """
      Requests /readyz. The exit status is 0 if the answer is 200 within three seconds, else 69.
      """)

  @Option(help: "The address of the server.")
  var host = "127.0.0.1"

  @Option(signed: "The port of the server.", in: 1...65_535)
  var port = 8080

  func run() throws {
    // A server that listens on all addresses also listens on the loopback address.
    let host = ["0.0.0.0", "::", "*"].contains(host) ? "127.0.0.1" : host
    guard let head = ask(host) else {
      throw CatalogueError.unavailable(
        "no server answers at \(host):\(port): start it, or change --host and --port")
    }
    guard head.hasPrefix("HTTP/1.1 200") else {
      throw CatalogueError.unavailable("the server at \(host):\(port) is not ready: \(head)")
    }
    try StandardOutput.write(line: "ready")
  }

  /// The status line of the response; nil if there is none within three seconds.
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
    let fields = "Host: \(host)\r\nConnection: close\r\n"
    let request = Array("GET /readyz HTTP/1.1\r\n\(fields)\r\n".utf8)
    guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { return nil }
    var answer = [UInt8](repeating: 0, count: 1024)
    let count = recv(connection, &answer, answer.count, 0)
    guard count > 0 else { return nil }
    return answer[..<count].split(separator: UInt8(ascii: "\r")).first
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
