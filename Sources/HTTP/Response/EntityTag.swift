/// A strong validator: equal tags mean equal bytes (RFC 9110 section 8.8.3).
///
///     let tag = EntityTag(Fingerprint(json))
///     return .response(response.conditional(on: request, tag))
package struct EntityTag: Hashable, Sendable {
  /// The tag as in the header, with its quotes.
  package let value: String

  /// - Parameter text: visible ASCII characters without quotes.
  package init(_ text: String) {
    value = "\"\(text)\""
  }

  /// The revision in a tag: `"REVISION"` of a change, or `"REVISION-HASH-CODING"` of a read. Nil for any other tag. Tags
  /// are compared as bytes, so a number with another spelling names no revision.
  package static func revision(of tag: Bytes) -> Int64? {
    let parts = tag.dropFirst().dropLast().split(
      separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
    guard let revision = Int64(parts[0].text), String(revision).utf8.elementsEqual(parts[0]),
      parts.count == 1
        || parts[1].count == 32 && parts[1].allSatisfy({ $0.isHexDigit && $0 == $0.lowercased }),
      parts.count < 3 || parts[2].equals("gzip") || parts[2].equals("br")
    else { return nil }
    return revision
  }

  /// The tag of a body whose hash is `hash`, in a content coding: `"REVISION-HASH-CODING"`.
  ///
  /// - Parameter revision: the revision that changes compare with `If-Match`. Nil if the tag starts
  ///   with the hash.
  package init(_ hash: Fingerprint, in coding: ContentCoding = .identity, of revision: Int64? = nil)
  {
    let suffix = coding == .identity ? "\"" : "-" + coding.rawValue + "\""
    let prefix = revision.map { "\"\($0)-" } ?? "\""
    value = String(unsafeUninitializedCapacity: 32 + prefix.utf8.count + suffix.utf8.count) {
      text in
      let start = text.initialize(fromContentsOf: prefix.utf8)
      let end = start + hash.write(to: text.baseAddress?.advanced(by: start))
      return text[end...].initialize(fromContentsOf: suffix.utf8)
    }
  }
}

extension Bytes {
  /// Whether this list of entity tags has `tag`. A tag may contain commas. The list ends at the first
  /// malformed tag.
  func lists(_ tag: EntityTag) -> Bool {
    if equals("*") { return true }
    var rest = self
    while let next = rest.popEntityTag() {
      if next.tag.elementsEqual(tag.value.utf8) { return true }
    }
    return false
  }

  /// The entity tags of this list, each with its quotes. Nil if the list is malformed or empty.
  package var entityTags: [(tag: Bytes, isWeak: Bool)]? {
    var (rest, tags) = (self, [(tag: Bytes, isWeak: Bool)]())
    while let next = rest.popEntityTag() {
      tags.append(next)
      guard rest.trimmed.first.map({ $0 == UInt8(ascii: ",") }) ?? true else { return nil }
    }
    return rest.isEmpty && !tags.isEmpty ? tags : nil
  }

  /// Removes the first tag of this list, and the bytes before it. Nil if the list is empty or malformed there.
  private mutating func popEntityTag() -> (tag: Bytes, isWeak: Bool)? {
    self = drop { $0.isBlank || $0 == UInt8(ascii: ",") }
    let isWeak = starts(with: "W/".utf8)
    let tag = dropFirst(isWeak ? 2 : 0)
    guard tag.first == UInt8(ascii: "\""),
      let end = tag.dropFirst().firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    self = self[(end + 1)...]
    return (tag[...end], isWeak)
  }
}
