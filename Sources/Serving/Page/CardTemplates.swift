package import Items

/// The card templates of a page. A kind without its own template uses the template of the kind
/// "card".
package struct CardTemplates: Sendable {
  private var templates: [String: CardTemplate] = [:]
  private let plain: CardTemplate
  /// The `<template>` elements and their kinds, as written in the page.
  package let sources: [(kind: String, html: String)]
  /// Whether the page has `<p class="group">`, the sticky heading of groups.
  package let hasGroupHeading: Bool

  /// Reads each `<template data-kind="KIND">` of `html`. It may have more attributes.
  ///
  /// - Parameter others: has the template of the kinds that have none in `html`.
  /// - Throws: the first placeholder that could run a script.
  package init(in html: String, otherwise others: CardTemplates? = nil) throws(Template.SyntaxError)
  {
    var sources: [(kind: String, html: String)] = []
    for match in html.matches(
      of: /<template data-kind="([a-z0-9-]+)"[^>]*>(.*?)<\/template>/.dotMatchesNewlines())
    {
      let (whole, kind, card) = match.output
      let line = html[..<whole.startIndex].count(where: \.isNewline)
      templates[String(kind)] = try CardTemplate(String(card), line: line + 1)
      sources.append((String(kind), String(whole)))
    }
    self.sources = sources
    hasGroupHeading = html.contains("<p class=\"group\">")
    plain =
      if let card = templates["card"] ?? others?.plain { card } else {
        try CardTemplate(Self.plainCard)
      }
  }

  package subscript(_ kind: String) -> CardTemplate { templates[kind] ?? plain }

  /// The card template for a page that has no template for the kind "card".
  static let plainCard = "<b>{title}</b>"
}

extension Fields {
  /// The text of a field for a card. Nil if the field is absent or unsafe. For example, a link that
  /// would run a script is unsafe.
  func shown(_ name: String) -> String? {
    guard let text = self[name]?.text else { return nil }
    let isAllowed =
      switch name {
      case "href": Self.isLink(text)
      case "image": Self.link(text, within: ["http", "https"])
      case "color": Self.isColor(text)
      default: true
      }
    return isAllowed ? text : nil
  }

  /// Whether `text` is a link that cannot run a script: relative, or with `http`, `https` or
  /// `mailto`.
  package static func isLink(_ text: String) -> Bool {
    link(text, within: ["http", "https", "mailto"])
  }

  /// Whether `link` is relative or has one of `schemes`, as a browser parses it.
  package static func link(_ link: String, within schemes: Set<String>) -> Bool {
    // A browser removes tabs and line breaks, which could hide a scheme, and leading spaces.
    guard !link.utf8.contains(where: { $0 < 0x20 }) else { return false }
    // As scalars: a colon and a combining mark are one character.
    let text = link.unicodeScalars.drop { $0 == " " }
    guard let end = text.firstIndex(where: { ":/?#".unicodeScalars.contains($0) }), text[end] == ":"
    else { return true }
    return schemes.contains(String(text[..<end]).lowercased())
  }

  /// Whether `color` is `#` and hexadecimal digits, or could be a CSS color name.
  package static func isColor(_ color: String) -> Bool {
    if color.first == "#" {
      let digits = color.dropFirst()
      return [3, 4, 6, 8].contains(digits.count)
        && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
    return !color.isEmpty && color.allSatisfy { $0.isASCII && $0.isLetter }
  }
}
