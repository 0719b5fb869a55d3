import Items

/// The value of a `srcset`: links, each with a density or a width.
enum SourceSet {
  /// The candidates of a value: `a.jpg 1x` and `b.jpg 2x`.
  static func candidates(in value: String) -> [String] {
    value.replacing(/(\s[0-9.]+[wx]),/) { "\($0.output.1), " }.split(
      separator: /,\s+/, omittingEmptySubsequences: true
    ).map(String.init)
  }

  /// A candidate whose relative URL gets the prefix `host`. Nil if it has no link.
  static func link(_ candidate: String, from host: String) -> String? {
    guard let match = candidate.wholeMatch(of: /\s*(.*?)(\s+[0-9.]+[wx])?\s*/.dotMatchesNewlines()),
      !match.output.1.isEmpty, Fields.isLink(String(match.output.1))
    else { return nil }
    let link = HTML.link(String(match.output.1).replacing(" ", with: "%20"), from: host)
    return link + (match.output.2 ?? "")
  }
}
