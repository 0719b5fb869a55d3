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
    var rest = raw
    if !raw.isEmpty { pairs.reserveCapacity(8) }
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
      let pair = rest[..<end]
      rest = end < rest.endIndex ? rest[(end + 1)...] : []
      if pair.isEmpty { continue }
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = pair[..<equals].percentDecoded(plusIsSpace: true),
        let value = pair[equals...].dropFirst().percentDecoded(plusIsSpace: true)
      else {
        throw .badParameter(pair[..<equals].text, "The parameter is not percent-encoded UTF-8.")
      }
      pairs.append((name, value))
    }
  }

  /// The value of the first parameter `name`; nil where it is absent or empty.
  package subscript(_ name: StaticString) -> Bytes? {
    guard let value = pairs.first(where: { $0.name.spells(name) })?.value, !value.isEmpty else {
      return nil
    }
    return value
  }
}
