import Catalogue

/// The card templates of a page: one for each kind that has its own, and one for all others.
package struct Cards: Sendable {
  private var templates: [String: Template] = [:]
  private let plain: Template

  /// Reads each `<template data-kind="KIND">` of `html`.
  package init(in html: String) {
    for match in html.matches(
      of: /<template data-kind="([a-z0-9-]+)">(.*?)<\/template>/.dotMatchesNewlines())
    {
      templates[String(match.output.1)] = Template(card: String(match.output.2))
    }
    plain = templates["card"] ?? Template(card: "<b>{title}</b>")
  }

  /// The template of a kind.
  subscript(_ kind: String) -> Template { templates[kind] ?? plain }
}

extension Template {
  /// Parses a card: HTML with `{field}` placeholders, which the server and the page's script fill alike.
  ///
  ///     Template(card: "<img src=\"{image}\" alt=\"{alt}\"><b>{title}</b>")
  ///
  /// Text is escaped. An attribute whose whole value is one placeholder is left out if the item lacks the
  /// field. Only `alt` is then empty.
  package init(card html: String) {
    var parts: [Part] = []
    var rest = html[...]
    while let open = rest.firstIndex(of: "{") {
      let name = rest[rest.index(after: open)...].prefix { $0.isFieldName }
      guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
        parts.append(.html(String(rest[...open])))
        rest = rest[rest.index(after: open)...]
        continue
      }
      let after = rest.index(after: name.endIndex)
      let field = String(name)
      if let start = Self.attributeStart(before: open, in: rest), rest[after...].first == "\"" {
        let attribute = rest[rest.index(after: start)..<rest.index(open, offsetBy: -2)]
        parts.append(.html(String(rest[..<start])))
        parts.append(.attribute(String(attribute), field: field))
        rest = rest[rest.index(after: after)...]
      } else {
        parts.append(.html(String(rest[..<open])))
        parts.append(.text(field))
        rest = rest[after...]
      }
    }
    self.init(parts: parts + [.html(String(rest))])
  }

  /// The space before the attribute whose value begins at `index`, if there is one.
  private static func attributeStart(
    before index: Substring.Index, in text: Substring
  ) -> Substring.Index? {
    let head = text[..<index]
    guard head.hasSuffix("=\"") else { return nil }
    let blank = head.dropLast(2).lastIndex { !$0.isAttributeName }
    return blank.flatMap { head[$0].isWhitespace ? $0 : nil }
  }

  /// The card with the fields of an item.
  ///
  /// - Parameter picture: returns the attributes of an `<img>` with an address.
  func filled(with fields: Fields, picture: (String) -> String) -> String {
    var html = ""
    for part in parts {
      switch part {
      case .html(let text):
        html += text
      case .text(let name):
        html += HTML.escaped(fields.shown(name) ?? "")
      case .attribute(let attribute, let name):
        guard let value = fields.shown(name) ?? (attribute == "alt" ? "" : nil) else { continue }
        html += attribute == "src" ? picture(value) : HTML.attribute(attribute, value)
      // Only pages have these.
      case .raw, .section: break
      }
    }
    return html
  }
}

extension Character {
  fileprivate var isFieldName: Bool {
    isASCII && (isLetter || isNumber) || self == "_"
  }

  fileprivate var isAttributeName: Bool {
    isASCII && (isLetter || isNumber) || self == "-"
  }
}

extension Fields {
  /// The text of a field as a card may show it: nil if it is absent, or if its value is not allowed, such as a
  /// link that would run a script.
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

  /// Whether `link` is relative or has one of `schemes`, as a browser parses it.
  private static func link(_ link: String, within schemes: Set<String>) -> Bool {
    // A browser first removes tabs and line breaks anywhere, and spaces at the start.
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
