/// Parses the head of each request, before any routing.
///
///     let head = try HeadParser().parse(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
///
/// It rejects each head that two programs could parse differently, because a proxy in front could
/// be the other program (request smuggling). It is as strict as RFC 9112 allows.
///
/// - Complexity: two passes over the bytes. It allocates only the `Head`.
package struct HeadParser: Sendable {
  /// The most header lines.
  package var fieldLimit = 64
  /// In bytes, as `targetLimit`.
  package var headLimit = 12 * 1024
  package var targetLimit = 8 * 1024

  package init() {}

  /// - Parameter bytes: a head from its method to its empty line, inclusive.
  package func parse(_ bytes: [UInt8]) throws(RejectionReason) -> Head {
    guard bytes.count <= headLimit else { throw .headTooLarge }
    let line = try RequestLine(bytes, targetLimit: targetLimit)
    let fields = try HeadFields(bytes, from: line.end, limit: fieldLimit)
    guard let method = Method(bytes[line.method]) else { throw .unknownMethod }
    let target = try RequestTarget(bytes[line.target], for: method)
    if let range = fields.host {
      let host = bytes[range]
      guard Host.isValid(host) else { throw .malformedHost }
      if let authority = target.authority,
        !bytes[authority].elementsEqual(host, by: { $0.lowercased == $1.lowercased })
      {
        throw .hostMismatch
      }
    } else if line.isHTTP11 {
      throw .missingHost
    }
    let length = try bodyLength(fields, in: bytes, isHTTP11: line.isHTTP11)
    return Head(bytes, line, method, target, fields, length)
  }

  private func bodyLength(
    _ fields: HeadFields, in bytes: [UInt8], isHTTP11: Bool
  ) throws(RejectionReason) -> BodyLength {
    if let expectation = fields.expectation,
      !bytes[expectation].equalsIgnoringCase("100-continue")
    {
      throw .unknownExpectation
    }
    if let range = fields.transferEncoding {
      if fields.contentLength != nil { throw .lengthAndCoding }
      if fields.hasRepeatedTransferEncoding { throw .repeatedCoding }
      let coding = bytes[range]
      guard coding.equalsIgnoringCase("chunked") else {
        let codings = coding.split(separator: UInt8(ascii: ",")).map(\.trimmed)
        let position = codings.firstIndex { $0.equalsIgnoringCase("chunked") }
        let isLast = codings.last?.equalsIgnoringCase("chunked") ?? false
        throw position == nil || isLast ? .unknownCoding : .codingNotFinal
      }
      guard isHTTP11 else { throw .codingInHTTP10 }
      // libmicrohttpd counts a trailing blank as part of the coding's name. It would then read the
      // body up to the end of the connection.
      guard bytes[range.upperBound] == UInt8(ascii: "\r") else { throw .unknownCoding }
      return .chunked
    }
    guard let range = fields.contentLength else { return .none }
    let digits = bytes[range]
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { throw .malformedLength }
    guard digits.count <= 18, let count = Int(digits.text) else { throw .bodyTooLarge }
    return .bytes(count)
  }
}

/// The positions of the parts of a request's first line (RFC 9112 section 3).
struct RequestLine {
  let method: Range<Int>
  let target: Range<Int>
  let isHTTP11: Bool
  /// The position of the first field line.
  let end: Int

  init(_ bytes: [UInt8], targetLimit: Int) throws(RejectionReason) {
    var position = bytes.withUnsafeBytes { $0.endOfToken(from: 0, .token) }
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

/// The positions of the parts of a request target (RFC 9112 section 3.2).
struct RequestTarget {
  let path: Range<Int>
  let query: Range<Int>
  /// The host and port of a target in absolute form.
  let authority: Range<Int>?

  init(_ bytes: Bytes, for method: Method) throws(RejectionReason) {
    let isVisible = bytes.withUnsafeBytes { bytes in
      bytes.hasNone { $0.marks(below: 0x21) | $0 | $0.marks(0x7F) | $0.marks(UInt8(ascii: "#")) }
    }
    guard isVisible else { throw .malformedTarget }
    var start = bytes.startIndex
    var authority: Range<Int>?
    if bytes.first != UInt8(ascii: "/"), !(method == .options && bytes.equals("*")) {
      let isSecure = bytes.prefix(8).equalsIgnoringCase("https://")
      guard isSecure || bytes.prefix(7).equalsIgnoringCase("http://") else {
        throw .malformedTarget
      }
      let host = bytes.dropFirst(isSecure ? 8 : 7).prefix {
        $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
      }
      guard Host.isValid(host) else { throw .malformedTarget }
      start = host.endIndex
      authority = host.indices
    }
    let question = bytes[start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    path = start..<question
    query = min(question + 1, bytes.endIndex)..<bytes.endIndex
    self.authority = authority
    if RequestTarget.hasDotSegment(bytes[path]) { throw .pathTraversal }
  }

  /// Whether a segment is `.` or `..`, plain or percent-encoded.
  private static func hasDotSegment(_ path: Bytes) -> Bool {
    guard path.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
      return false
    }
    return path.split(separator: UInt8(ascii: "/")).contains { segment in
      // A malformed escape is 400 when the router decodes the segment.
      let name = segment.percentDecoded() ?? segment
      return name.equals(".") || name.equals("..")
    }
  }
}

/// The positions of the fields that the server itself interprets. One pass finds them and validates
/// every field line (RFC 9112 section 5).
struct HeadFields {
  private(set) var host: Range<Int>?
  private(set) var contentLength: Range<Int>?
  private(set) var transferEncoding: Range<Int>?
  private(set) var hasRepeatedTransferEncoding = false
  private(set) var expectation: Range<Int>?
  private(set) var requestID: Range<Int>?
  private(set) var acceptedCodings = AcceptedCodings()
  private(set) var ifNoneMatchLines: Range<Int>?
  /// All field lines, without the empty line.
  private(set) var lines: Range<Int>

  init(_ bytes: [UInt8], from start: Int, limit: Int) throws(RejectionReason) {
    lines = start..<start
    let token = ASCIISet.token
    var position = start
    var count = 0
    while true {
      let line = position
      guard line < bytes.count else { throw .malformedField }
      if bytes[line] == UInt8(ascii: "\r") { break }
      if bytes[line].isBlank { throw .obsFold }
      position = bytes.withUnsafeBytes { $0.endOfToken(from: line, token) }
      guard position > line, position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
        throw .malformedField
      }
      count += 1
      guard count <= limit else { throw .headTooLarge }
      let name = line..<position
      position += 1
      let value = try HeadFields.value(in: bytes, from: &position)
      try record(name, value, line..<position, in: bytes)
    }
    guard position + 2 == bytes.count, bytes[position + 1] == UInt8(ascii: "\n") else {
      throw .malformedField
    }
    lines = start..<position
  }

  /// The value at `position` without blanks at both ends. Moves `position` after the line's CR LF.
  private static func value(
    in bytes: [UInt8], from position: inout Int
  ) throws(RejectionReason) -> Range<Int> {
    while position < bytes.count, bytes[position].isBlank { position += 1 }
    let start = position
    position = bytes.withUnsafeBytes { $0.endOfValue(from: start) }
    var end = position
    while end > start, bytes[end - 1].isBlank { end -= 1 }
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\r"),
      bytes[position + 1] == UInt8(ascii: "\n")
    else { throw .malformedField }
    position += 2
    return start..<end
  }

  private mutating func record(
    _ name: Range<Int>, _ value: Range<Int>, _ line: Range<Int>, in bytes: [UInt8]
  ) throws(RejectionReason) {
    // The names have different lengths, so at most one comparison is needed.
    switch name.count {
    case 4 where bytes[name].equalsIgnoringCase("host"):
      if host != nil { throw .repeatedHost }
      host = value
    case 6 where bytes[name].equalsIgnoringCase("expect"):
      if expectation != nil { throw .unknownExpectation }
      expectation = value
    case 12 where bytes[name].equalsIgnoringCase("x-request-id"):
      // A repeated id is ambiguous. The empty range is no valid id, so both are ignored.
      requestID = requestID == nil ? value : value.lowerBound..<value.lowerBound
    case 13 where bytes[name].equalsIgnoringCase("if-none-match"):
      ifNoneMatchLines = (ifNoneMatchLines?.lowerBound ?? line.lowerBound)..<line.upperBound
    case 14 where bytes[name].equalsIgnoringCase("content-length"):
      if contentLength != nil { throw .repeatedLength }
      contentLength = value
    case 15 where bytes[name].equalsIgnoringCase("accept-encoding"):
      acceptedCodings.append(bytes[value])
    case 17 where bytes[name].equalsIgnoringCase("transfer-encoding"):
      hasRepeatedTransferEncoding = transferEncoding != nil
      transferEncoding = value
    default: break
    }
  }
}

/// The grammar of a host with an optional port (RFC 9110 section 7.2, RFC 3986 section 3.2.2).
///
/// An empty host is invalid, because no HTTP URL has one (RFC 9110 section 4.2.1).
package enum Host {
  package static func isValid(_ bytes: Bytes) -> Bool {
    let isLiteral = bytes.first == UInt8(ascii: "[")
    guard let end = isLiteral ? endOfLiteral(bytes) : endOfName(bytes) else { return false }
    return end > bytes.startIndex && isPort(bytes[end...])
  }

  /// The end of the name or IPv4 address at the start of `bytes`. Nil if an escape is malformed.
  private static func endOfName(_ bytes: Bytes) -> Int? {
    let registered = ASCIISet.registeredName
    var position = bytes.startIndex
    while position < bytes.endIndex {
      if registered.contains(bytes[position]) {
        position += 1
      } else if bytes[position] == UInt8(ascii: "%") {
        let digits = bytes[(position + 1)...].prefix(2)
        guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else { return nil }
        position += 3
      } else {
        break
      }
    }
    return position
  }

  /// The end of the IP address in brackets at the start of `bytes`. Nil if it is malformed.
  private static func endOfLiteral(_ bytes: Bytes) -> Int? {
    guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let address = bytes[..<bracket].dropFirst()
    return Peer(ipv6: address) != nil || isIPvFuture(address) ? bracket + 1 : nil
  }

  /// Whether `bytes` are empty, or a colon and a port. The port may be empty.
  private static func isPort(_ bytes: Bytes) -> Bool {
    let digits = bytes.dropFirst()
    return bytes.isEmpty
      || bytes.first == UInt8(ascii: ":") && digits.count <= 5 && digits.allSatisfy(\.isDigit)
        && digits.reduce(0) { $0 * 10 + Int($1 & 15) } <= 65_535
  }

  private static func isIPvFuture(_ bytes: Bytes) -> Bool {
    guard let version = bytes.first, version.lowercased == UInt8(ascii: "v"),
      let dot = bytes.firstIndex(of: UInt8(ascii: "."))
    else { return false }
    let digits = bytes[..<dot].dropFirst()
    let address = bytes[(dot + 1)...]
    let literal = ASCIISet.addressLiteral
    return !digits.isEmpty && digits.allSatisfy(\.isHexDigit)
      && !address.isEmpty && address.allSatisfy(literal.contains)
  }
}
