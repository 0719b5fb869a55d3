/// The parts of a request's target (RFC 9112 section 3.2), as places in the head's bytes.
struct Target {
  let path: Range<Int>
  let query: Range<Int>
  /// The host and port of a target that is a whole address.
  let authority: Range<Int>?

  /// The parts of `bytes`, a slice that keeps the head's indices.
  init(_ bytes: Bytes, for method: Method) throws(RejectionReason) {
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw .malformedTarget
    }
    var start = bytes.startIndex
    var authority: Range<Int>?
    if bytes.first != UInt8(ascii: "/"), !(method == .options && bytes.spells("*")) {
      let found = try Target.authority(of: bytes)
      start = found.upperBound
      authority = found
    }
    let mark = bytes[start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    path = start..<mark
    query = min(mark + 1, bytes.endIndex)..<bytes.endIndex
    self.authority = authority
    if Target.climbs(bytes[path]) { throw .climbingPath }
  }

  private static func authority(of bytes: Bytes) throws(RejectionReason) -> Range<Int> {
    let scheme: Int
    if bytes.prefix(7).spellsIgnoringCase("http://") {
      scheme = 7
    } else if bytes.prefix(8).spellsIgnoringCase("https://") {
      scheme = 8
    } else {
      throw .malformedTarget
    }
    let rest = bytes.dropFirst(scheme)
    let end =
      rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    guard Host.isWellFormed(rest[..<end]) else { throw .malformedTarget }
    return rest.startIndex..<end
  }

  /// Whether a segment is `.` or `..`, however its dots are written.
  private static func climbs(_ path: Bytes) -> Bool {
    guard path.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
      return false
    }
    return path.split(separator: UInt8(ascii: "/")).contains { segment in
      var dots = 0
      var rest = segment
      while let first = rest.first {
        if first == UInt8(ascii: ".") {
          rest = rest.dropFirst()
        } else if rest.prefix(3).spellsIgnoringCase("%2e") {
          rest = rest.dropFirst(3)
        } else {
          return false
        }
        dots += 1
      }
      return dots <= 2
    }
  }
}
