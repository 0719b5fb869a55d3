package enum HTML {
  /// `text` with escapes, for an element or for an attribute in double quotes.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { special.contains($0) }) else { return text }
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count + 16)
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// An attribute, with the space before it.
  package static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value))\""
  }

  /// `link` for a page on another server: relative links get the prefix `host`.
  static func link(_ link: String, from host: String) -> String {
    guard !host.isEmpty, !link.hasPrefix("//"),
      link.prefix(while: { !"/?#".contains($0) }).firstIndex(of: ":") == nil
    else { return link }
    return host + (link.hasPrefix("/") ? "" : "/") + link
  }

  private static let special = Set("&<>\"".utf8)
}
