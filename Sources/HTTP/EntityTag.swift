/// A strong validator: equal tags mean equal bytes (RFC 9110 section 8.8.3).
///
///     let tag = EntityTag(hashing: json)
///     return .response(response.tagged(tag).unlessHeld(by: request))
package struct EntityTag: Hashable, Sendable {
  /// The tag as the header has it, with its quotes.
  package let value: String

  /// - Parameter text: visible ASCII characters without quotes.
  package init(_ text: String) {
    value = "\"\(text)\""
  }

  /// A tag made from the bytes themselves, and from the coding they are sent in where there is one.
  package init(hashing bytes: [UInt8], coding: String = "") {
    let hash = Fingerprint(bytes)
    let suffix = coding.isEmpty ? "" : "-" + coding
    value = String(unsafeUninitializedCapacity: 34 + suffix.utf8.count) { text in
      text[0] = UInt8(ascii: "\"")
      var end = 1 + hash.write(to: text.baseAddress?.advanced(by: 1))
      for byte in suffix.utf8 {
        text[end] = byte
        end += 1
      }
      text[end] = UInt8(ascii: "\"")
      return end + 1
    }
  }
}

extension Request {
  /// Whether `If-None-Match` says that the client holds what `tag` names. Weak comparison, as
  /// RFC 9110 section 13.1.2 has it; `*` is held by anyone.
  package func holds(_ tag: EntityTag) -> Bool {
    guard let range = head.held else { return false }
    var lines = FieldLines(head, in: range)
    while let line = lines.next() {
      if line.name.spellsIgnoringCase("if-none-match"), line.value.lists(tag) { return true }
    }
    return false
  }
}

extension Response {
  /// This with the header `ETag`.
  package consuming func tagged(_ tag: EntityTag) -> Response {
    var tagged = consume self
    tagged.fields.append(Field("ETag", tag.value))
    return tagged
  }

  /// This, or 304 in its place where the request's `If-None-Match` has `tag`. The headers stay
  /// (RFC 9110 section 15.4.5 asks for ETag, Cache-Control and Vary); the daemon sends no body.
  package consuming func unlessHeld(by request: Request, _ tag: EntityTag) -> Response {
    var answer = consume self
    if answer.status == 200, request.method.isRead, request.holds(tag) { answer.status = 304 }
    return answer
  }
}

extension Bytes {
  /// Whether this list of entity tags has `tag`. A tag may hold commas; a malformed rest is ignored.
  fileprivate func lists(_ tag: EntityTag) -> Bool {
    if spells("*") { return true }
    var rest = self
    while true {
      rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
      if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
      guard rest.first == UInt8(ascii: "\""),
        let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\""))
      else { return false }
      if rest[...end].elementsEqual(tag.value.utf8) { return true }
      rest = rest[(end + 1)...]
    }
  }
}
