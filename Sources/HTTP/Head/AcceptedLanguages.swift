extension Request {
  /// The languages of `Accept-Language`, the preferred ones first (RFC 9110 section 12.5.4).
  ///
  /// Each is a primary tag in lower case: `de` for `de-AT`. Languages with a weight of 0 are left out.
  ///
  /// - Complexity: O(*n* log *n*) in the number of languages.
  package var acceptedLanguages: [String] {
    guard let list = self["accept-language"] else { return [] }
    return list.split(separator: UInt8(ascii: ","))
      .map { range in
        let parts = range.split(separator: UInt8(ascii: ";"), maxSplits: 1)
        let weight = parts.dropFirst().first?.withUnsafeBufferPointer { $0[...].trimmed.weight }
        return (tag: parts.first?.trimmed.primaryTag ?? "", weight: weight ?? 1000)
      }
      .filter { $0.weight > 0 }
      .sorted { $0.weight > $1.weight }
      .map(\.tag)
  }
}

extension Bytes {
  /// The first subtag of a language tag, in lower case: `de` for `de-AT` (RFC 5646).
  package var primaryTag: String { prefix { $0 != UInt8(ascii: "-") }.text.lowercased() }
}
