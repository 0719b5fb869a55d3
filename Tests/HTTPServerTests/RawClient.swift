import Glibc

/// A client that sends raw bytes.
final class RawClient {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var hasTimedOut = false

  /// Connects to `port` of this machine. Reads wait for at most `timeout`.
  convenience init(port: Int, receiveBuffer: Int32? = nil) throws {
    try self.init(receiveBuffer: receiveBuffer)
    try connect(port: port)
  }

  /// A client that is not connected yet.
  static func unconnected() throws -> RawClient { try RawClient(receiveBuffer: nil) }

  private init(receiveBuffer: Int32?) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
    if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
    var limit = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  func connect(port: Int) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let outcome = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else { throw Failure(reason: String(cString: strerror(errno))) }
  }

  deinit { close(descriptor) }

  /// Makes the end of this client reset the connection.
  func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  struct Failure: Error { let reason: String }

  /// Sends `bytes`. If the server has closed the connection, the rest is dropped.
  func send(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Closes the sending half.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads more into the buffer. False at the end, after a reset, or after `timeout`.
  private func receive() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN { hasTimedOut = true }
    guard count > 0 else { return false }
    buffer += chunk[..<count]
    return true
  }

  /// Whether bytes arrive or the connection ends within `milliseconds`.
  func hasSomething(within milliseconds: Int32) -> Bool {
    var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&source, 1, milliseconds) > 0
  }

  /// Whether the server closes the connection without sending more.
  func isClosed() -> Bool {
    buffer.isEmpty && !receive() && !hasTimedOut
  }

  /// The status of the next response. Nil if none arrives. Reads no more than arrives with it.
  func status() -> Int? {
    while buffer.count < 12 { guard receive() else { return nil } }
    return Int(String(decoding: buffer[9..<12], as: UTF8.self))
  }

  /// The next response. Nil if none arrives.
  ///
  /// - Parameter hasBody: false for the response to HEAD.
  func response(hasBody: Bool = true) -> RawResponse? {
    let blank: [UInt8] = [13, 10, 13, 10]
    var end: Int?
    while true {
      end = buffer.indices.first { buffer[$0...].starts(with: blank) }
      if end != nil { break }
      guard receive() else { return nil }
    }
    guard let end else { return nil }
    var response = RawResponse(head: String(decoding: buffer[..<end], as: UTF8.self))
    buffer.removeFirst(end + 4)
    guard hasBody, response.status >= 200, response.status != 204, response.status != 304 else {
      return response
    }
    let count = response["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < count, receive() {}
    response.body = Array(buffer.prefix(count))
    response.isWhole = buffer.count >= count
    buffer.removeFirst(min(count, buffer.count))
    return response
  }

  /// Reads up to the end of `text`. False if it does not arrive.
  func receive(until text: String) -> Bool {
    let wanted = Array(text.utf8)
    while true {
      if let start = buffer.indices.first(where: { buffer[$0...].starts(with: wanted) }) {
        buffer.removeFirst(start + wanted.count)
        return true
      }
      guard receive() else { return false }
    }
  }

  /// All responses until the connection is closed.
  func allResponses() -> [RawResponse] {
    var all: [RawResponse] = []
    while let next = response() { all.append(next) }
    return all
  }
}

/// A received response.
struct RawResponse {
  let head: String
  var body: [UInt8] = []
  var isWhole = true

  var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
  var text: String { String(decoding: body, as: UTF8.self) }

  subscript(_ name: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name.lowercased() {
        return String(parts[1].drop { $0 == " " })
      }
    }
    return nil
  }

  var closes: Bool { self["connection"]?.lowercased() == "close" }
}
