/// A strong validator: equal tags mean equal bytes (RFC 9110 section 8.8.3).
///
///     let tag = EntityTag(Fingerprint(json))
///     return .response(response.tagged(tag).conditional(on: request, tag))
package struct EntityTag: Hashable, Sendable {
  /// The tag as in the header, with its quotes.
  package let value: String

  /// - Parameter text: visible ASCII characters without quotes.
  package init(_ text: String) {
    value = "\"\(text)\""
  }

  /// The tag of a body whose hash is `hash`, in a content coding: `"REVISION-HASH-CODING"`.
  ///
  /// - Parameter revision: the revision of the resource that changes compare with `If-Match`. Nil if the
  ///   tag starts with the hash.
  package init(_ hash: Fingerprint, in coding: ContentCoding = .identity, of revision: Int64? = nil)
  {
    let suffix = coding == .identity ? "" : "-" + coding.rawValue
    let prefix = revision.map { "\($0)-" } ?? ""
    value = String(unsafeUninitializedCapacity: 34 + prefix.utf8.count + suffix.utf8.count) {
      text in
      text[0] = UInt8(ascii: "\"")
      var end = 1
      for byte in prefix.utf8 {
        text[end] = byte
        end += 1
      }
      end += hash.write(to: text.baseAddress?.advanced(by: end))
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
  /// Whether `If-None-Match` lists `tag` or is `*`. The comparison is weak (RFC 9110 section 13.1.2).
  func ifNoneMatchLists(_ tag: EntityTag) -> Bool {
    guard let range = head.ifNoneMatchLines else { return false }
    var lines = FieldLines(head, in: range)
    while let line = lines.next() {
      if line.name.equalsIgnoringCase("if-none-match"), line.value.lists(tag) { return true }
    }
    return false
  }
}

extension Response {
  package consuming func tagged(_ tag: EntityTag) -> Response {
    var tagged = consume self
    tagged.fields.append(Field("ETag", tag.value))
    return tagged
  }

  /// The response, or 304 if the request's `If-None-Match` lists `tag`.
  ///
  /// A 304 keeps all fields: it must have ETag, Cache-Control and Vary (RFC 9110 section 15.4.5). The
  /// server omits its body.
  package consuming func conditional(
    on request: Request, _ tag: @autoclosure () -> EntityTag
  ) -> Response {
    var response = consume self
    if response.status == 200, request.method.isRead, request.head.ifNoneMatchLines != nil,
      request.ifNoneMatchLists(tag())
    {
      response.status = 304
    }
    return response
  }
}

extension Bytes {
  /// Whether this list of entity tags has `tag`. A tag may contain commas. The list ends at the first
  /// malformed tag.
  fileprivate func lists(_ tag: EntityTag) -> Bool {
    if equals("*") { return true }
    var rest = self
    while true {
      rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
      if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
      guard rest.first == UInt8(ascii: "\""),
        let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\""))
      else { return false }
      if rest[...end].isUTF8(of: tag.value) { return true }
      rest = rest[(end + 1)...]
    }
  }
}
