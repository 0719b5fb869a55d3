/// Parses and validates the head of each request, before any routing.
///
/// It is a pure function over bytes. It prevents request smuggling through a proxy: it rejects each
/// head that two programs could parse differently. It is as strict as RFC 9112 allows.
///
///     let head = try HeadParser().parse(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
///
/// - Complexity: two passes over the bytes. It allocates only the `Head`.
package struct HeadParser: Sendable {
  /// The most header lines.
  package var fieldLimit = 64
  /// The most bytes of a head and of a target.
  package var headLimit = 12 * 1024
  package var targetLimit = 8 * 1024

  package init() {}

  /// Parses `bytes`, a head from its method to its empty line.
  ///
  /// - Throws: the reason to reject the request.
  package func parse(_ bytes: [UInt8]) throws(RejectionReason) -> Head {
    guard bytes.count <= headLimit else { throw .headTooLarge }
    let line = try RequestLine(bytes, targetLimit: targetLimit)
    let fields = try HeadFields(bytes, from: line.end, limit: fieldLimit)
    guard let method = Method(bytes[line.method]) else { throw .unknownMethod }
    let target = try RequestTarget(bytes[line.target], for: method)
    try checkHost(fields, target: target, in: bytes, isHTTP11: line.isHTTP11)
    let length = try bodyLength(fields, in: bytes, isHTTP11: line.isHTTP11)
    return Head(bytes, line, method, target, fields, length)
  }

  private func checkHost(
    _ fields: HeadFields, target: RequestTarget, in bytes: [UInt8], isHTTP11: Bool
  ) throws(RejectionReason) {
    guard let range = fields.host else {
      if isHTTP11 { throw .missingHost }
      return
    }
    let host = bytes[range]
    guard Host.isValid(host) else { throw .malformedHost }
    if let authority = target.authority,
      !bytes[authority].elementsEqual(host, by: { $0.lowercased == $1.lowercased })
    {
      throw .differingHost
    }
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
        throw coding.listsChunkedBeforeLast ? .codingNotFinal : .unknownCoding
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

extension Bytes {
  fileprivate var listsChunkedBeforeLast: Bool {
    let codings = split(separator: UInt8(ascii: ",")).map(\.trimmed)
    return codings.contains { $0.equalsIgnoringCase("chunked") }
      && codings.last?.equalsIgnoringCase("chunked") == false
  }
}

/// The positions of the header fields that the server itself interprets.
///
/// One pass finds them and validates every field line (RFC 9112 section 5).
struct HeadFields {
  private(set) var host: Range<Int>?
  private(set) var contentLength: Range<Int>?
  private(set) var transferEncoding: Range<Int>?
  private(set) var hasRepeatedTransferEncoding = false
  private(set) var expectation: Range<Int>?
  private(set) var requestID: Range<Int>?
  /// The codings of all `Accept-Encoding`.
  private(set) var acceptedCodings = AcceptedCodings()
  private(set) var ifNoneMatchLines: Range<Int>?
  /// The position of the empty line.
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
    end = position
  }

  /// Parses the value at `position` without its leading and trailing blanks. Moves `position` after
  /// the CR LF of the line.
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
