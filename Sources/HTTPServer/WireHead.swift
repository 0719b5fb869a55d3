private import Glibc

/// Restores a request's head as the client sent it from libmicrohttpd's memory.
///
/// libmicrohttpd parses in place. It writes NUL over each separator: the spaces of the request line,
/// the `?` of the target, the first colon of each header, and each byte of a line end.
/// Each such NUL can be distinguished from bytes of the client and is restored. A bare LF and a NUL
/// of the client remain, so that the parser sees and rejects them. Two cases cannot be distinguished
/// from CR LF: NUL LF, and a line that is only a colon and LF. `LibraryTests` checks these facts.
struct WireHead {
  /// The `?` of a target, and the byte after it, which NUL has replaced.
  typealias HiddenQuery = (question: UnsafeMutablePointer<CChar>, next: CChar)

  /// The first byte of the head.
  let method: UnsafePointer<CChar>
  let version: UnsafePointer<CChar>
  /// The number of bytes up to the end of the empty line.
  let count: Int
  let hiddenQuery: HiddenQuery?

  /// The head as libmicrohttpd left it.
  var memory: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: method, count: count) }

  /// Hides the query of `target` from libmicrohttpd, so that it does not parse it. ``bytes`` restores
  /// it. Nil if the target has no query.
  static func hideQuery(of target: UnsafePointer<CChar>) -> HiddenQuery? {
    // The target is in the connection's read buffer, which libmicrohttpd itself writes to.
    var position = UnsafeMutablePointer(mutating: target)
    let question = CChar(UInt8(ascii: "?"))
    while position.pointee != 0, position.pointee != question { position += 1 }
    guard position.pointee == question else { return nil }
    defer { position[1] = 0 }
    return (position, position[1])
  }

  /// The head as the client sent it.
  var bytes: [UInt8] {
    let start = UnsafeRawPointer(method)
    var bytes = Array(memory)
    bytes.withUnsafeMutableBufferPointer { buffer in
      if let hiddenQuery {
        let question = UnsafeRawPointer(hiddenQuery.question) - start
        buffer[question] = UInt8(ascii: "?")
        buffer[question + 1] = UInt8(bitPattern: hiddenQuery.next)
      }
      let line = UnsafeRawPointer(version) - start
      guard let gap = buffer.firstIndex(of: 0), gap < line, line + 8 <= count else { return }
      buffer[gap] = UInt8(ascii: " ")
      buffer[line - 1] = UInt8(ascii: " ")
      WireHead.restoreLines(&buffer, from: line + 8)
    }
    return bytes
  }

  /// Whether a line begins with a blank. libmicrohttpd joins such a line to the one before and clears
  /// the name of that one, so ``bytes`` does not show it.
  var isFolded: Bool {
    var zeros = 0
    for byte in memory.dropFirst(version - method) {
      if zeros >= 2, byte == 0x20 || byte == 0x09 { return true }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return false
  }

  private static func restoreLines(
    _ buffer: inout UnsafeMutableBufferPointer<UInt8>, from start: Int
  ) {
    var position = start
    endLine(&buffer, at: &position)
    while position < buffer.count, buffer[position] != 0 {
      guard let colon = firstZero(in: buffer, from: position) else { return }
      buffer[colon] = UInt8(ascii: ":")
      guard let end = firstZero(in: buffer, from: colon) else { return }
      position = end
      endLine(&buffer, at: &position)
    }
    // The rest must be the empty line. Anything else keeps its NUL.
    if position + 2 == buffer.count { endLine(&buffer, at: &position) }
  }

  private static func firstZero(
    in buffer: UnsafeMutableBufferPointer<UInt8>, from position: Int
  ) -> Int? {
    guard let start = buffer.baseAddress else { return nil }
    let zero = memchr(start + position, 0, buffer.count - position)
    return zero.map { $0 - UnsafeMutableRawPointer(start) }
  }

  /// Restores the line end at `position` and moves `position` behind it.
  private static func endLine(
    _ buffer: inout UnsafeMutableBufferPointer<UInt8>, at position: inout Int
  ) {
    guard position < buffer.count, buffer[position] == 0 else { return }
    if position + 1 < buffer.count, buffer[position + 1] == 0 {
      buffer[position] = UInt8(ascii: "\r")
      position += 1
    }
    buffer[position] = UInt8(ascii: "\n")
    position += 1
  }
}
