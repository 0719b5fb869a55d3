/// The head of a request that the gate let through: its bytes as the client sent them, and where in
/// them the parts are.
///
/// Nothing is copied out of the bytes and no `String` is made until somebody asks for one.
///
/// A class, so that a request that goes from one function to the next takes one reference along.
package final class Head: Sendable {
  /// From the method to the empty line, inclusive.
  package let bytes: [UInt8]
  package let method: Method
  /// False for HTTP/1.0.
  package let isHTTP11: Bool
  /// What follows the head.
  package let length: BodyLength

  let target: Range<Int>
  let pathRange: Range<Int>
  let queryRange: Range<Int>
  /// The field lines, without the empty line.
  let fields: Range<Int>
  let requestIDRange: Range<Int>?

  init(
    bytes: [UInt8], method: Method, isHTTP11: Bool, length: BodyLength, target: Range<Int>,
    pathRange: Range<Int>, queryRange: Range<Int>, fields: Range<Int>, requestIDRange: Range<Int>?
  ) {
    self.bytes = bytes
    self.method = method
    self.isHTTP11 = isHTTP11
    self.length = length
    self.target = target
    self.pathRange = pathRange
    self.queryRange = queryRange
    self.fields = fields
    self.requestIDRange = requestIDRange
  }

  /// The path as sent, not decoded; `/` where the target has none.
  package var path: Bytes {
    pathRange.isEmpty ? Head.root : bytes[pathRange]
  }

  /// What follows the first `?`, not decoded.
  package var query: Bytes { bytes[queryRange] }

  /// The target as sent: path and query, or a whole address.
  package var rawTarget: Bytes { bytes[target] }

  /// The `X-Request-Id` that a client or a proxy gave the request; nil where there is none, or it is
  /// not 1 to 128 letters, digits and marks that need no escaping anywhere.
  package var requestID: Bytes? {
    guard let range = requestIDRange, (1...128).contains(range.count) else { return nil }
    let id = bytes[range]
    return id.allSatisfy(ASCIISet.requestID.contains) ? id : nil
  }

  private static let root: Bytes = [UInt8(ascii: "/")]

  /// The value of the first field named `name`, which is in lower case; nil where there is none.
  ///
  /// - Complexity: one pass over the field lines before it.
  package func value(of name: StaticString) -> Bytes? {
    var lines = FieldLines(self)
    while let line = lines.next() {
      if line.name.spellsIgnoringCase(name) { return line.value }
    }
    return nil
  }
}

/// How a request says where its body ends.
package enum BodyLength: Sendable, Equatable {
  case none
  case bytes(Int)
  case chunked
}

/// The field lines of an admitted head, in order.
package struct FieldLines: Sequence, IteratorProtocol, Sendable {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  package init(_ head: Head) {
    bytes = head.bytes
    position = head.fields.lowerBound
    end = head.fields.upperBound
  }

  package mutating func next() -> (name: Bytes, value: Bytes)? {
    guard position < end else { return nil }
    // The gate let only lines pass that have a colon and end with CR LF.
    var colon = position
    while bytes[colon] != UInt8(ascii: ":") { colon += 1 }
    var lineEnd = colon + 1
    while bytes[lineEnd] != UInt8(ascii: "\r") { lineEnd += 1 }
    defer { position = lineEnd + 2 }
    return (bytes[position..<colon], bytes[(colon + 1)..<lineEnd].trimmed)
  }
}
