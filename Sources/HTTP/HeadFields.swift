/// The few fields that decide where a request goes, where its body ends, what it is called and which
/// form of an answer it gets, found in one pass that checks every field line (RFC 9112 section 5).
struct HeadFields {
  private(set) var host: Range<Int>?
  private(set) var length: Range<Int>?
  private(set) var coding: Range<Int>?
  private(set) var isCodingRepeated = false
  private(set) var expectation: Range<Int>?
  private(set) var requestID: Range<Int>?
  /// The lines that say `Accept-Encoding`, with what stands between them.
  private(set) var codings: Range<Int>?
  /// The lines that say `If-None-Match`, likewise.
  private(set) var held: Range<Int>?
  /// Where the empty line begins.
  private(set) var end: Int

  init(_ bytes: [UInt8], from start: Int, limit: Int) throws(RejectionReason) {
    end = start
    let token = ASCIISet.token
    var position = start
    var count = 0
    while true {
      let line = position
      guard line < bytes.count else { throw .malformedField }
      if bytes[line] == UInt8(ascii: "\r") { break }
      if bytes[line].isBlank { throw .foldedField }
      while position < bytes.count, token.contains(bytes[position]) { position += 1 }
      guard position > line, position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
        throw .malformedField
      }
      count += 1
      guard count <= limit else { throw .headTooLarge }
      let name = line..<position
      position += 1
      let value = try HeadFields.value(in: bytes, from: &position)
      try note(name, value, line..<position, in: bytes)
    }
    guard position + 2 == bytes.count, bytes[position + 1] == UInt8(ascii: "\n") else {
      throw .malformedField
    }
    end = position
  }

  /// The value that begins at `position`, without blanks around it; leaves `position` behind its
  /// line's CR LF.
  private static func value(
    in bytes: [UInt8], from position: inout Int
  ) throws(RejectionReason) -> Range<Int> {
    while position < bytes.count, bytes[position].isBlank { position += 1 }
    let start = position
    var end = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte < 0x20 && byte != 0x09 || byte == 0x7F { break }
      position += 1
      if !byte.isBlank { end = position }
    }
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\r"),
      bytes[position + 1] == UInt8(ascii: "\n")
    else { throw .malformedField }
    position += 2
    return start..<end
  }

  private mutating func note(
    _ name: Range<Int>, _ value: Range<Int>, _ line: Range<Int>, in bytes: [UInt8]
  ) throws(RejectionReason) {
    // The names have lengths of their own, which spares comparing any other.
    switch name.count {
    case 4 where bytes[name].spellsIgnoringCase("host"):
      if host != nil { throw .repeatedHost }
      host = value
    case 6 where bytes[name].spellsIgnoringCase("expect"):
      if expectation != nil { throw .unknownExpectation }
      expectation = value
    case 12 where bytes[name].spellsIgnoringCase("x-request-id"):
      // Of two, nobody knows which one was meant: an empty one is no id.
      requestID = requestID == nil ? value : value.lowerBound..<value.lowerBound
    case 13 where bytes[name].spellsIgnoringCase("if-none-match"):
      held = (held?.lowerBound ?? line.lowerBound)..<line.upperBound
    case 14 where bytes[name].spellsIgnoringCase("content-length"):
      if length != nil { throw .repeatedLength }
      length = value
    case 15 where bytes[name].spellsIgnoringCase("accept-encoding"):
      codings = (codings?.lowerBound ?? line.lowerBound)..<line.upperBound
    case 17 where bytes[name].spellsIgnoringCase("transfer-encoding"):
      isCodingRepeated = coding != nil
      coding = value
    default: break
    }
  }
}
