private import Glibc

/// Restores the head of a request, as the client sent it, from libmicrohttpd's memory.
///
/// libmicrohttpd parses in place and writes NUL over each separator: the spaces of the request line,
/// the `?` of the target, the first colon of each header, and CR and LF. `bytes` puts the separators
/// back. It keeps a bare LF or a NUL of the client, so that the parser rejects it. NUL LF, and a line
/// of only a colon and LF, cannot be told from CR LF. `LibraryTests` checks these facts.
struct RawHead {
  /// The position of the `?` of a target, and the byte after the `?`, which NUL has replaced.
  typealias MaskedQuery = (question: UnsafeMutablePointer<CChar>, next: CChar)

  let method: UnsafePointer<CChar>
  let version: UnsafePointer<CChar>
  /// Up to the end of the empty line.
  let count: Int
  let maskedQuery: MaskedQuery?

  private var memory: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: method, count: count) }

  /// Masks the query of `target`, so that libmicrohttpd does not parse it. ``bytes`` restores the
  /// query. Nil if the target has no query.
  static func maskQuery(of target: UnsafePointer<CChar>) -> MaskedQuery? {
    // The target is in the connection's read buffer, which libmicrohttpd itself writes to.
    var position = UnsafeMutablePointer(mutating: target)
    let question = CChar(UInt8(ascii: "?"))
    while position.pointee != 0, position.pointee != question { position += 1 }
    guard position.pointee == question else { return nil }
    defer { position[1] = 0 }
    return (position, position[1])
  }

  var bytes: [UInt8] {
    let start = UnsafeRawPointer(method)
    var bytes = Array(memory)
    bytes.withUnsafeMutableBufferPointer { buffer in
      if let maskedQuery {
        let question = UnsafeRawPointer(maskedQuery.question) - start
        buffer[question] = UInt8(ascii: "?")
        buffer[question + 1] = UInt8(bitPattern: maskedQuery.next)
      }
      let line = UnsafeRawPointer(version) - start
      guard let gap = buffer.firstIndex(of: 0), gap < line, line + 8 <= count else { return }
      buffer[gap] = UInt8(ascii: " ")
      buffer[line - 1] = UInt8(ascii: " ")
      buffer.restoreLines(from: line + 8)
    }
    return bytes
  }

  /// Whether a field line is folded: it begins with a blank. libmicrohttpd joins a folded line to
  /// the line before, and clears the name of that field. So ``bytes`` does not show the fold.
  var isFolded: Bool {
    var zeros = 0
    for byte in memory.dropFirst(version - method) {
      if zeros >= 2, byte == 0x20 || byte == 0x09 { return true }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return false
  }

}

extension UnsafeMutableBufferPointer<UInt8> {
  fileprivate func restoreLines(from start: Int) {
    var position = start
    endLine(at: &position)
    while position < count, self[position] != 0 {
      guard let colon = firstZero(from: position) else { return }
      self[colon] = UInt8(ascii: ":")
      guard let end = firstZero(from: colon) else { return }
      position = end
      endLine(at: &position)
    }
    // The rest must be the empty line. Otherwise the NUL stays.
    if position + 2 == count { endLine(at: &position) }
  }

  private func firstZero(from position: Int) -> Int? {
    guard let start = baseAddress else { return nil }
    return memchr(start + position, 0, count - position).map { $0 - UnsafeMutableRawPointer(start) }
  }

  /// Restores the line end at `position` and moves `position` after it.
  private func endLine(at position: inout Int) {
    guard position < count, self[position] == 0 else { return }
    if position + 1 < count, self[position + 1] == 0 {
      self[position] = UInt8(ascii: "\r")
      position += 1
    }
    self[position] = UInt8(ascii: "\n")
    position += 1
  }
}
