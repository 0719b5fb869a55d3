/// The gate that every request passes before anyone looks at what it wants.
///
/// A pure function over the bytes of a head, as strict as RFC 9112 allows: what two programs could
/// read differently is refused, so that nothing can be smuggled past a proxy in front.
///
///     let head = try Gate().admit(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
///
/// - Complexity: two passes over the bytes, no allocation.
package struct HeadParser: Sendable {
  /// Header lines that are let through.
  package var fieldLimit = 64
  /// Bytes of a head, of a target and of a body that are let through.
  package var headLimit = 12 * 1024
  package var targetLimit = 8 * 1024
  package var bodyLimit = 1024 * 1024

  package init() {}

  /// The parts of `bytes`, a head from its method to its empty line.
  package func admit(_ bytes: [UInt8]) throws(RejectionReason) -> Head {
    guard bytes.count <= headLimit else { throw .headTooLarge }
    let line = try RequestLine(bytes, targetLimit: targetLimit)
    let fields = try HeadFields(bytes, from: line.end, limit: fieldLimit)
    guard let method = Method(bytes[line.method]) else { throw .unknownMethod }
    let target = try Target(bytes[line.target], for: method)
    try checkHost(fields, target: target, in: bytes, isHTTP11: line.isHTTP11)
    return Head(
      bytes: bytes, method: method, isHTTP11: line.isHTTP11,
      length: try bodyLength(fields, in: bytes, isHTTP11: line.isHTTP11),
      hasExpectation: fields.expectation != nil,
      target: line.target, pathRange: target.path, queryRange: target.query,
      fields: line.end..<fields.end, requestIDRange: fields.requestID, codings: fields.codings,
      held: fields.held)
  }

  private func checkHost(
    _ fields: HeadFields, target: Target, in bytes: [UInt8], isHTTP11: Bool
  ) throws(RejectionReason) {
    guard let range = fields.host else {
      if isHTTP11 { throw .missingHost }
      return
    }
    let host = bytes[range]
    guard Host.isWellFormed(host) else { throw .malformedHost }
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
      !bytes[expectation].spellsIgnoringCase("100-continue")
    {
      throw .unknownExpectation
    }
    if let range = fields.coding {
      if fields.length != nil { throw .lengthAndCoding }
      if fields.isCodingRepeated { throw .repeatedCoding }
      let coding = bytes[range]
      guard coding.spellsIgnoringCase("chunked") else {
        throw coding.namesChunkedTooEarly ? .codingNotFinal : .unknownCoding
      }
      guard isHTTP11 else { throw .codingInHTTP10 }
      // libmicrohttpd takes a blank behind it for a part of its name, and would read to the end.
      guard bytes[range.upperBound] == UInt8(ascii: "\r") else { throw .unknownCoding }
      return .chunked
    }
    guard let range = fields.length else { return .none }
    let digits = bytes[range]
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { throw .malformedLength }
    guard digits.count <= 18, let count = Int(digits.text), count <= bodyLimit else {
      throw .bodyTooLarge
    }
    return .bytes(count)
  }
}

extension Bytes {
  /// Whether `chunked` is one of the codings of this list, but not the last.
  fileprivate var namesChunkedTooEarly: Bool {
    let codings = split(separator: UInt8(ascii: ",")).map(\.trimmed)
    return codings.contains { $0.spellsIgnoringCase("chunked") }
      && codings.last?.spellsIgnoringCase("chunked") == false
  }
}
