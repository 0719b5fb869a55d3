/// The parameters of a request: `name=value` pairs, decoded, in the order sent.
///
///     let query = try Query(request, allowing: ["offset", "width"])
///     query["offset"]?.text   // "1200", or nil where it is absent or empty
///
/// - Complexity: one pass and one allocation; values that need no decoding stay in the head's memory.
package struct Query: Sendable {
  /// A parameter's name and value, decoded.
  package typealias Pair = (name: Bytes, value: Bytes)

  /// The pairs as sent, those with an empty value among them.
  package private(set) var pairs: [Pair] = []

  /// The parameters of `request`, whatever their names.
  ///
  /// - Throws: a 400 that names the parameter whose encoding is broken.
  package init(_ request: Request) throws(Problem) {
    try self.init(request.rawQuery)
  }

  /// The parameters of `request`, which may only be those of `names`, each given once.
  ///
  /// - Throws: a 400 that names a parameter that is unknown, given twice or broken in its encoding.
  package init(_ request: Request, allowing names: [StaticString]) throws(Problem) {
    try self.init(request.rawQuery)
    for (index, pair) in pairs.enumerated() {
      guard names.contains(where: pair.name.spells) else {
        throw .badParameter(pair.name.text, "There is no such parameter here.")
      }
      guard !pairs[..<index].contains(where: { $0.name == pair.name }) else {
        throw .badParameter(pair.name.text, "The parameter is given more than once.")
      }
    }
  }

  init(_ raw: Bytes) throws(Problem) {
    if !raw.isEmpty { pairs.reserveCapacity(8) }
    var start = raw.startIndex
    while start < raw.endIndex {
      let ends = raw.endsOfPair(from: start)
      if ends.pair > start {
        let (name, value) = (raw[start..<ends.name], raw[ends.value..<ends.pair])
        pairs.append(try Self.pair(name, value, ends.isPlain))
      }
      start = ends.pair + 1
    }
  }

  /// The pair of a name and a value as they were sent, which may be `isPlain`: then nothing is coded.
  private static func pair(
    _ name: Bytes, _ value: Bytes, _ isPlain: Bool
  ) throws(Problem) -> Pair {
    if isPlain { return (name, value) }
    guard let decodedName = name.percentDecoded(plusIsSpace: true),
      let decodedValue = value.percentDecoded(plusIsSpace: true)
    else {
      throw .badParameter(name.text, "The parameter is not percent-encoded UTF-8.")
    }
    return (decodedName, decodedValue)
  }

  /// The value of the first parameter `name`; nil where it is absent or empty.
  package subscript(_ name: StaticString) -> Bytes? {
    guard let value = pairs.first(where: { $0.name.spells(name) })?.value, !value.isEmpty else {
      return nil
    }
    return value
  }
}

extension Bytes {
  /// Where the name of the pair that begins at `start` ends, where its value begins, and where the
  /// pair ends; and whether it is plain: of ASCII, with nothing to decode.
  fileprivate func endsOfPair(
    from start: Int
  ) -> (name: Int, value: Int, pair: Int, isPlain: Bool) {
    withUnsafeBufferPointer { bytes in
      let origin = startIndex
      var place = start - origin
      var equals: Int?
      var isPlain = true
      while place < bytes.count, bytes[place] != UInt8(ascii: "&") {
        switch bytes[place] {
        case UInt8(ascii: "="): if equals == nil { equals = place + origin }
        case UInt8(ascii: "%"), UInt8(ascii: "+"), 0, 0x80...: isPlain = false
        default: break
        }
        place &+= 1
      }
      let end = place + origin
      return (equals ?? end, equals.map { $0 + 1 } ?? end, end, isPlain)
    }
  }
}
