/// A request's head as the client sent it, put together again from what libmicrohttpd made of it.
///
/// libmicrohttpd parses in place: it writes NUL over the space after the method and before the
/// version, over a target's `?`, a header's first colon, and each byte of a line's end. All of these
/// can be told apart from bytes that the client sent, and are put back; a line that ended with a
/// bare LF ends with one again, and a client's own NUL stays, so that the gate sees both and refuses
/// them. Only NUL LF, and a colon and LF on a line of their own, cannot be told from CR LF.
/// `LibraryTests` pins each of these facts.
struct WireHead {
  /// Where a target's `?` is, and the byte behind it, which NUL is written over.
  typealias Mark = (place: UnsafeMutablePointer<CChar>, next: CChar)

  /// Where the head begins.
  let method: UnsafePointer<CChar>
  let version: UnsafePointer<CChar>
  /// Bytes to the end of the empty line.
  let count: Int
  let mark: Mark?

  /// The head as libmicrohttpd has left it.
  var memory: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: method, count: count) }

  /// All else that ``bytes`` follows from.
  var marks: Marks {
    Marks(
      version: version - method, query: mark.map { UnsafePointer($0.place) - method },
      first: mark?.next ?? 0)
  }

  struct Marks: Equatable {
    let version: Int
    let query: Int?
    let first: CChar
  }

  /// Where the query of `target` begins. Ends the target there, so that libmicrohttpd does not parse
  /// a query that we parse ourselves; ``bytes`` undoes it.
  static func hideQuery(of target: UnsafePointer<CChar>) -> Mark? {
    // The target lies in the connection's own read buffer, which libmicrohttpd is about to write to.
    let start = UnsafeMutablePointer(mutating: target)
    var place = start
    while place.pointee != 0, place.pointee != question { place += 1 }
    guard place.pointee == question else { return nil }
    defer { place[1] = 0 }
    return (place, place[1])
  }

  /// The head as it was sent.
  var bytes: [UInt8] {
    let start = UnsafeRawPointer(method)
    var bytes = Array(memory)
    bytes.withUnsafeMutableBufferPointer { buffer in
      if let mark {
        let place = UnsafeRawPointer(mark.place) - start
        buffer[place] = UInt8(ascii: "?")
        buffer[place + 1] = UInt8(bitPattern: mark.next)
      }
      let line = UnsafeRawPointer(version) - start
      guard let gap = buffer.firstIndex(of: 0), gap < line, line + 8 <= count else { return }
      buffer[gap] = UInt8(ascii: " ")
      buffer[line - 1] = UInt8(ascii: " ")
      WireHead.restoreLines(&buffer, from: line + 8)
    }
    return bytes
  }

  /// Whether a line begins with a blank. libmicrohttpd joins such a line to the one before, and clears
  /// that one's name, so that ``bytes`` cannot show it.
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
      guard let colon = buffer[position...].firstIndex(of: 0) else { return }
      buffer[colon] = UInt8(ascii: ":")
      guard let end = buffer[colon...].firstIndex(of: 0) else { return }
      position = end
      endLine(&buffer, at: &position)
    }
    // What is left has to be the empty line; anything else keeps its NUL.
    if position + 2 == buffer.count { endLine(&buffer, at: &position) }
  }

  /// Puts the end of the line at `position` back and goes behind it.
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

  private static let question = CChar(UInt8(ascii: "?"))
}
