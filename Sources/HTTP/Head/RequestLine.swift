/// The positions of the parts of a request's first line (RFC 9112 section 3).
struct RequestLine {
  let method: Range<Int>
  let target: Range<Int>
  let isHTTP11: Bool
  /// The position of the first field line.
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
    position = bytes.withUnsafeBytes { $0.endOfTarget(from: start) }
    guard position < bytes.count else { throw .malformedRequestLine }
    guard position - start <= targetLimit else { throw .targetTooLong }
    // CR here means that the version is missing. Another control character is part of the target.
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
    isHTTP11 = version.equals("HTTP/1.1")
    guard isHTTP11 || version.equals("HTTP/1.0") else {
      throw version.starts(with: "HTTP/".utf8) ? .unknownVersion : .malformedRequestLine
    }
  }
}

/// A request method that the server knows (RFC 9110 section 9.3).
///
/// `HeadParser` rejects all others, also `CONNECT`, with 501.
package enum Method: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  case trace = "TRACE"

  /// Whether the method only reads. Pages of other origins may use such a method.
  package var isRead: Bool { self == .get || self == .head }

  /// The method with this name in upper case. Nil for an unknown name.
  init?(_ name: Bytes) {
    guard let method = Method.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) })
    else { return nil }
    self = method
  }
}

/// The positions of the parts of a request target (RFC 9112 section 3.2).
struct RequestTarget {
  let path: Range<Int>
  let query: Range<Int>
  /// The host and port of a target in absolute form.
  let authority: Range<Int>?

  /// - Parameter bytes: the target, as a slice of the head.
  init(_ bytes: Bytes, for method: Method) throws(RejectionReason) {
    let isVisible = bytes.withUnsafeBytes { bytes in
      bytes.hasNone { $0.marks(below: 0x21) | $0 | $0.marks(0x7F) | $0.marks(UInt8(ascii: "#")) }
    }
    guard isVisible else { throw .malformedTarget }
    var start = bytes.startIndex
    var authority: Range<Int>?
    if bytes.first != UInt8(ascii: "/"), !(method == .options && bytes.equals("*")) {
      let found = try RequestTarget.authority(of: bytes)
      start = found.upperBound
      authority = found
    }
    let question = bytes[start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    path = start..<question
    query = min(question + 1, bytes.endIndex)..<bytes.endIndex
    self.authority = authority
    if RequestTarget.hasDotSegment(bytes[path]) { throw .climbingPath }
  }

  private static func authority(of bytes: Bytes) throws(RejectionReason) -> Range<Int> {
    let scheme: Int
    if bytes.prefix(7).equalsIgnoringCase("http://") {
      scheme = 7
    } else if bytes.prefix(8).equalsIgnoringCase("https://") {
      scheme = 8
    } else {
      throw .malformedTarget
    }
    let rest = bytes.dropFirst(scheme)
    let end =
      rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    guard Host.isValid(rest[..<end]) else { throw .malformedTarget }
    return rest.startIndex..<end
  }

  /// Whether a segment is `.` or `..`, plain or percent-encoded.
  private static func hasDotSegment(_ path: Bytes) -> Bool {
    guard path.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
      return false
    }
    return path.split(separator: UInt8(ascii: "/")).contains { segment in
      var dots = 0
      var rest = segment
      while let first = rest.first {
        if first == UInt8(ascii: ".") {
          rest = rest.dropFirst()
        } else if rest.prefix(3).equalsIgnoringCase("%2e") {
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
