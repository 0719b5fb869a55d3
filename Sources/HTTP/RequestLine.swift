/// Where the parts of a request's first line are (RFC 9112 section 3).
struct RequestLine {
  let method: Range<Int>
  let target: Range<Int>
  let isHTTP11: Bool
  /// Where the field lines begin.
  let end: Int

  init(_ bytes: [UInt8], targetLimit: Int) throws(RejectionReason) {
    let token = ASCIISet.token
    var position = 0
    while position < bytes.count, token.contains(bytes[position]) { position += 1 }
    guard position > 0, position < bytes.count, bytes[position] == UInt8(ascii: " ") else {
      throw .malformedRequestLine
    }
    method = 0..<position
    position += 1
    let start = position
    while position < bytes.count, bytes[position] > 0x20 { position += 1 }
    guard position < bytes.count else { throw .malformedRequestLine }
    guard position - start <= targetLimit else { throw .targetTooLong }
    // A control character is the target's fault, a missing version the line's.
    guard bytes[position] == UInt8(ascii: " ") else {
      throw bytes[position] == UInt8(ascii: "\r") ? .malformedRequestLine : .malformedTarget
    }
    guard position > start else { throw .malformedRequestLine }
    target = start..<position
    position += 1
    end = position + 10
    guard end <= bytes.count, bytes[position + 8] == UInt8(ascii: "\r"),
      bytes[position + 9] == UInt8(ascii: "\n")
    else { throw .malformedRequestLine }
    let version = bytes[position..<(position + 8)]
    isHTTP11 = version.spells("HTTP/1.1")
    guard isHTTP11 || version.spells("HTTP/1.0") else {
      throw version.starts(with: "HTTP/".utf8) ? .unknownVersion : .malformedRequestLine
    }
  }
}
