import HTTP
import Items

// What a request that changes something says in its headers.
extension Request {
  /// The token of `Authorization: Bearer TOKEN` (RFC 6750 section 2.1); the scheme in any case.
  var bearer: Bytes? {
    guard let value = self["authorization"],
      let space = value.firstIndex(of: UInt8(ascii: " ")),
      value[..<space].spellsIgnoringCase("bearer")
    else { return nil }
    let token = value[space...].drop { $0 == UInt8(ascii: " ") }
    return token.isEmpty ? nil : token
  }

  /// What `If-Match` expects (RFC 9110 section 13.1.1): strong tags that are revisions, or `*`.
  var expectation: RevisionGuard {
    guard let value = self["if-match"] else { return .anything }
    if value.spells("*") { return .existence }
    let revisions = value.text.split(separator: ",").compactMap { tag -> Int64? in
      let tag = tag.trimmingBlanks
      guard tag.count > 2, tag.first == "\"", tag.last == "\"" else { return nil }
      return Int64(tag.dropFirst().dropLast())
    }
    return .oneOf(revisions)
  }

  /// The media type of the body, in lower case and without its parameters.
  ///
  /// - Throws: 415 where it is not among `types`.
  func mediaType(among types: [String]) throws(Problem) -> String {
    let given = self["content-type"]?.text.lowercased().prefix { $0 != ";" }
    let type = given.map { String($0.trimmingBlanks) }
    guard let type, types.contains(type) else {
      throw Problem(
        status: 415, detail: "The body must be \(types.joined(separator: " or ")).",
        fields: [Field("Accept", types.joined(separator: ", "))])
    }
    return type
  }
}

extension StringProtocol {
  fileprivate var trimmingBlanks: SubSequence {
    var rest = self[...]
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
