/// HTML's text.
enum HTML {
  /// `text` as it may stand in an element or between an attribute's quotes.
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

  /// An attribute with the blank before it.
  static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value))\""
  }

  private static let special = Set("&<>\"".utf8)
}
