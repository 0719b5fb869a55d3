import Catalogue
import Windowing

extension CardTemplate {
  /// The template's HTML with the fields of an item; `picture` says what an `<img>` with an address
  /// has as its attributes.
  func filled(with fields: Fields, picture: (String) -> String) -> String {
    var html = ""
    for part in parts {
      switch part {
      case .html(let text):
        html += text
      case .field(let name):
        html += HTML.escaped(fields.shown(name) ?? "")
      case .attribute(let attribute, let name):
        guard let value = fields.shown(name) ?? (attribute == "alt" ? "" : nil) else { continue }
        html += attribute == "src" ? picture(value) : HTML.attribute(attribute, value)
      }
    }
    return html
  }
}

extension Fields {
  /// What the built-in card may show of a field: nil where it is absent, or where its value is none
  /// that the field may have (a link that would run a script, a color that is none).
  func shown(_ name: String) -> String? {
    guard let text = self[name]?.text else { return nil }
    let isAllowed =
      switch name {
      case "href": Self.link(text, within: ["http", "https", "mailto"])
      case "image": Self.link(text, within: ["http", "https"])
      case "color": Self.isColor(text)
      default: true
      }
    return isAllowed ? text : nil
  }

  /// Whether `link` is relative or has one of `schemes`, however a browser would read it.
  private static func link(_ link: String, within schemes: Set<String>) -> Bool {
    // A browser drops tabs and line breaks anywhere, and blanks in front, before it looks.
    guard !link.utf8.contains(where: { $0 < 0x20 }) else { return false }
    let text = link.drop { $0 == " " }
    guard let colon = text.firstIndex(of: ":") else { return true }
    let scheme = text[..<colon]
    guard !scheme.contains(where: { "/?#".contains($0) }) else { return true }
    return schemes.contains(scheme.lowercased())
  }

  /// Whether `color` is `#` and hex digits, or a CSS name.
  private static func isColor(_ color: String) -> Bool {
    if color.first == "#" {
      let digits = color.dropFirst()
      return [3, 4, 6, 8].contains(digits.count)
        && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
    return !color.isEmpty && color.allSatisfy { $0.isASCII && $0.isLetter }
  }
}
