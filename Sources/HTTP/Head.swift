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
  /// Whether it says `Expect: 100-continue`.
  package let hasExpectation: Bool

  let target: Range<Int>
  let pathRange: Range<Int>
  let queryRange: Range<Int>
  /// The field lines, without the empty line.
  let fields: Range<Int>
  let requestIDRange: Range<Int>?
  /// Where among the field lines all those are that say which codings are taken, and which contents
  /// the client holds: looked for with each answer, and seldom there.
  let codings, held: Range<Int>?

  init(
    bytes: [UInt8], method: Method, isHTTP11: Bool, length: BodyLength, hasExpectation: Bool,
    target: Range<Int>, pathRange: Range<Int>, queryRange: Range<Int>, fields: Range<Int>,
    requestIDRange: Range<Int>?, codings: Range<Int>?, held: Range<Int>?
  ) {
    self.bytes = bytes
    self.method = method
    self.isHTTP11 = isHTTP11
    self.length = length
    self.hasExpectation = hasExpectation
    self.target = target
    self.pathRange = pathRange
    self.queryRange = queryRange
    self.fields = fields
    self.requestIDRange = requestIDRange
    self.codings = codings
    self.held = held
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
    guard let range = requestIDRange, bytes[range].isRequestID else { return nil }
    return bytes[range]
  }

  /// Whether the client waits to be told whether its body is wanted.
  package var expectsContinue: Bool {
    hasExpectation && isHTTP11 && length != .none && length != .bytes(0)
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

/// The field lines of an admitted head, in order, or a stretch of them.
package struct FieldLines: Sequence, IteratorProtocol, Sendable {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  package init(_ head: Head) { self.init(head, in: head.fields) }

  init(_ head: Head, in lines: Range<Int>) {
    bytes = head.bytes
    position = lines.lowerBound
    end = lines.upperBound
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
