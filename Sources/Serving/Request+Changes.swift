import Catalogue
import HTTP

// What a request that changes something says in its headers.
extension Request {
  /// The token of `Authorization: Bearer TOKEN` (RFC 6750 section 2.1); the scheme in any case.
  var bearer: Bytes? {
    guard let value = self["authorization"],
      let space = value.firstIndex(of: UInt8(ascii: " ")),
      value[..<space].equalsIgnoringCase("bearer")
    else { return nil }
    let token = value[space...].drop { $0 == UInt8(ascii: " ") }
    return token.isEmpty ? nil : token
  }

  /// What `If-Match` and `If-None-Match` expect (RFC 9110 section 13.1): tags that are revisions, or
  /// `*`. The one compares them strongly, the other weakly.
  var expectation: RevisionGuard {
    let held = list("if-match").map { list -> RevisionGuard in
      list == ["*"] ? .existence : .oneOf(list.compactMap(revision))
    }
    let lacked = list("if-none-match").map { list -> RevisionGuard in
      list == ["*"]
        ? .absence
        : .noneOf(list.compactMap { revision($0.hasPrefix("W/") ? $0.dropFirst(2) : $0) })
    }
    switch (held, lacked) {
    case (let held?, let lacked?): return .both(held, lacked)
    default: return held ?? lacked ?? .anything
    }
  }

  /// The entries of all fields named `name`, which is in lower case; nil where there is none.
  private func list(_ name: StaticString) -> [Substring]? {
    let lines = FieldLines(head).filter { $0.name.equalsIgnoringCase(name) }
    guard !lines.isEmpty else { return nil }
    return lines.flatMap { line in
      line.value.text.split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }
    }
  }

  /// The revision that a strong tag names. Tags are compared as bytes: a number that is spelled in
  /// another way than answers spell it is another tag.
  private func revision(_ tag: Substring) -> Int64? {
    guard tag.count > 2, tag.first == "\"", tag.last == "\"" else { return nil }
    let spelled = tag.dropFirst().dropLast()
    guard let revision = Int64(spelled), String(revision) == spelled else { return nil }
    return revision
  }

  /// The media type of the body, in lower case and without its parameters.
  ///
  /// - Throws: 415 where it is not among `types`, or coded.
  func mediaType(among types: [String]) throws(Problem) -> String {
    guard list("content-encoding")?.allSatisfy({ $0.lowercased() == "identity" }) ?? true else {
      throw Problem(
        status: 415, detail: "The body must be sent as it is, without a content coding.",
        fields: [Field("Accept-Encoding", "identity")])
    }
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
