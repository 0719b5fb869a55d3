package import Items

/// A card template: HTML with `{field}` placeholders. The server and the page's script fill them in
/// the same way: `Tests/Cases/placeholders.json` has cases for both.
///
///     try CardTemplate("<img src=\"{image}\" alt=\"{alt}\"><b>{title}</b>")
///
/// The name in a placeholder has letters, digits, `_`, `-`, `.`, and spaces between them. A format can
/// follow: `{price|currency}`. An element with the attribute `data-if="price"` is hidden if an item
/// lacks the field, and one with `data-if="!price"` if it has it.
///
/// Text is escaped. If an attribute's value is one placeholder and the item lacks the field, the
/// attribute is omitted. Only `alt` becomes empty instead. An attribute with a URL that could run
/// a script is omitted, too.
package struct CardTemplate: Sendable {
  fileprivate enum Part: Sendable {
    /// HTML as written in the template.
    case html(String)
    /// A field, escaped.
    case text(Placeholder)
    /// An attribute and the space before it. Its value is one field.
    case attribute(String, Placeholder)
    /// An attribute and the space before it. Its value is a URL that contains fields.
    case link(String, [Part])
    /// An attribute and the space before it. Its value is a `srcset` of these candidates.
    case sources(String, [[Part]])
    /// The attribute `hidden`, if an item has a field or lacks it.
    case hidden(String, ifPresent: Bool)
  }

  fileprivate struct Placeholder: Sendable {
    let name: String
    let format: FieldSettings.Format?
  }

  private let parts: [Part]

  /// - Parameter line: the line of the file in which the card begins.
  /// - Throws: the first placeholder that could run a script.
  package init(_ html: String, line: Int = 1) throws(Template.SyntaxError) {
    var parser = CardParser(html, line: line)
    try parser.parse()
    parts = parser.parts
  }

  /// The card as HTML, with the fields of an item.
  ///
  /// - Parameters:
  ///   - texts: writes values in formats.
  ///   - host: the prefix of relative URLs.
  ///   - picture: returns the attributes of an `<img>` for the address of a picture.
  package func filled(
    with fields: Fields, in texts: LocalizedFormatter = LocalizedFormatter(),
    linkedTo host: String = "",
    picture: (String) -> String
  ) -> String {
    func shown(_ placeholder: Placeholder) -> String? {
      let text = fields.shown(placeholder.name)
      guard let text, let format = placeholder.format else { return text }
      return texts.text(text, of: placeholder.name, as: format)
    }
    var html = ""
    for part in parts {
      switch part {
      case .html(let text):
        html += text
      case .text(let placeholder):
        html += HTML.escaped(shown(placeholder) ?? "")
      case .attribute(let attribute, let placeholder):
        guard var value = shown(placeholder) ?? (attribute == "alt" ? "" : nil) else { continue }
        if Self.isLink(attribute) {
          guard Fields.isLink(value) else { continue }
          value = HTML.link(value, from: host)
        }
        html += attribute == "src" ? picture(value) : HTML.attribute(attribute, value)
      case .link(let attribute, let pattern):
        let (value, escaped) = Self.interpolated(pattern, shown)
        if Fields.isLink(value) {
          html += " \(attribute)=\"\(HTML.link(escaped, from: host))\""
        }
      case .sources(let attribute, let candidates):
        let whole = candidates.filter { $0.allSatisfy { $0.placeholder.map(shown) ?? "" != nil } }
        let sources = whole.flatMap {
          SourceSet.candidates(in: Self.interpolated($0, shown).escaped)
        }
        let links = sources.compactMap { SourceSet.link($0, from: host) }
        if !links.isEmpty { html += " \(attribute)=\"\(links.joined(separator: ", "))\"" }
      case .hidden(let name, let ifPresent):
        if (fields.shown(name) != nil) == ifPresent { html += " hidden" }
      }
    }
    return html
  }

  /// A pattern with its fields, as it is and as HTML.
  private static func interpolated(
    _ pattern: [Part], _ shown: (Placeholder) -> String?
  ) -> (value: String, escaped: String) {
    var (value, escaped) = ("", "")
    for part in pattern {
      if case .html(let text) = part {
        value += text
        escaped += text
      } else if case .text(let placeholder) = part, let text = shown(placeholder) {
        value += text
        escaped += HTML.escaped(text)
      }
    }
    return (value, escaped)
  }

  /// Whether the value of an attribute is a URL.
  fileprivate static func isLink(_ attribute: String) -> Bool {
    ["href", "src", "poster", "data", "cite", "background", "ping"]
      .contains(attribute.lowercased())
  }
}

/// Finds the placeholders of a card.
///
/// Items are untrusted data. A placeholder is valid in text, or in an attribute in double quotes. A
/// placeholder that could run a script is an error.
private struct CardParser {
  private let html: [UInt8]
  private let firstLine: Int
  private(set) var parts: [CardTemplate.Part] = []
  /// The position of the first byte that is not in `parts` yet.
  private var start = 0
  private var offset = 0

  init(_ html: String, line: Int) {
    self.html = Array(html.utf8)
    firstLine = line
  }

  /// Whether an attribute can run scripts or send forms.
  private static func runsScripts(_ attribute: String) -> Bool {
    let name = attribute.lowercased()
    return name.hasPrefix("on")
      || ["action", "formaction", "srcdoc", "xlink:href"].contains(name)
  }

  mutating func parse() throws(Template.SyntaxError) {
    while offset < html.count {
      if html[offset] == UInt8(ascii: "<"), offset + 1 < html.count, html[offset + 1].isLetter {
        try parseTag()
      } else {
        parseText()
      }
    }
    flush(to: html.count)
  }

  /// Parses a placeholder, or a byte of text.
  private mutating func parseText() {
    guard let (placeholder, end) = placeholder(at: offset) else {
      offset += 1
      return
    }
    flush(to: offset)
    parts.append(.text(placeholder))
    offset = end
    start = end
  }

  private mutating func parseTag() throws(Template.SyntaxError) {
    offset += 1
    let name = word { !$0.isSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    while offset < html.count, html[offset] != UInt8(ascii: ">") {
      if html[offset].isSpace || html[offset] == UInt8(ascii: "/") {
        offset += 1
      } else {
        try parseAttribute(of: name)
      }
    }
    offset += 1
    guard ["script", "style"].contains(name.lowercased()) else { return }
    let end = Array("</\(name)".utf8)
    while offset < html.count, !html[offset...].starts(with: end) {
      if let (placeholder, _) = placeholder(at: offset) {
        throw syntaxError(
          "{\(placeholder.name)} stands in a <\(name)>, where it could run a script")
      }
      offset += 1
    }
  }

  private mutating func parseAttribute(of tag: String) throws(Template.SyntaxError) {
    let blank = html[offset - 1].isSpace ? offset - 1 : offset
    let name = word {
      !$0.isSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=")
    }
    if name.isEmpty { offset += 1 }
    if name.contains("{") { throw syntaxError("\(name) is the name of an attribute") }
    _ = word { $0.isSpace }
    guard offset < html.count, html[offset] == UInt8(ascii: "=") else { return }
    offset += 1
    _ = word { $0.isSpace }
    guard offset < html.count else { return }
    let quote = html[offset]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { offset += 1 }
    let valueStart = offset
    _ = word { isQuoted ? $0 != quote : !$0.isSpace && $0 != UInt8(ascii: ">") }
    let value = Self.pattern(of: html[valueStart..<offset])
    let valueEnd = offset
    if isQuoted { offset += 1 }
    if name.lowercased() == "data-if" {
      let condition = String(decoding: html[valueStart..<valueEnd], as: UTF8.self)
      let isNegated = condition.hasPrefix("!")
      offset = min(offset, html.count)
      flush(to: offset)
      parts.append(.hidden(String(condition.dropFirst(isNegated ? 1 : 0)), ifPresent: isNegated))
      start = offset
      return
    }
    guard let placeholder = value.lazy.compactMap(\.placeholder).first else { return }
    let field = placeholder.name
    if Self.runsScripts(name) || tag.lowercased() == "script" {
      throw syntaxError("{\(field)} stands in the attribute \(name), where it could run a script")
    }
    guard quote == UInt8(ascii: "\"") else {
      throw syntaxError("{\(field)} in the attribute \(name) needs double quotes")
    }
    if name.lowercased() == "srcset" {
      flush(to: blank)
      let source = String(decoding: html[valueStart..<valueEnd], as: UTF8.self)
      parts.append(
        .sources(
          name, SourceSet.candidates(in: source).map { Self.pattern(of: Array($0.utf8)[...]) }))
    } else if value.count == 1 {
      flush(to: blank)
      parts.append(.attribute(name, placeholder))
    } else if CardTemplate.isLink(name) {
      flush(to: blank)
      parts.append(.link(name, value))
    } else {
      flush(to: valueStart)
      parts += value
      start = offset - 1
      return
    }
    start = offset
  }

  /// The text and the placeholders of a value.
  private static func pattern(of value: ArraySlice<UInt8>) -> [CardTemplate.Part] {
    var parser = CardParser(String(decoding: value, as: UTF8.self), line: 0)
    while parser.offset < parser.html.count { parser.parseText() }
    parser.flush(to: parser.html.count)
    return parser.parts
  }

  /// The placeholder that begins at `offset`, and its end. Nil if none begins there.
  private func placeholder(at offset: Int) -> (CardTemplate.Placeholder, end: Int)? {
    guard html[offset] == UInt8(ascii: "{") else { return nil }
    let name = html[(offset + 1)...].prefix(while: \.isInName)
    let space = UInt8(ascii: " ")
    guard let first = name.first, first != space, name.last != space else { return nil }
    var end = name.endIndex
    var format: FieldSettings.Format?
    if end < html.count, html[end] == UInt8(ascii: "|") {
      let word = html[(end + 1)...].prefix(while: \.isLetter)
      format = FieldSettings.Format(rawValue: String(decoding: word, as: UTF8.self))
      if format == nil { return nil }
      end = word.endIndex
    }
    guard end < html.count, html[end] == UInt8(ascii: "}") else { return nil }
    return (
      CardTemplate.Placeholder(name: String(decoding: name, as: UTF8.self), format: format), end + 1
    )
  }

  /// Reads bytes while `isPart` is true for them.
  private mutating func word(while isPart: (UInt8) -> Bool) -> String {
    let word = html[offset...].prefix(while: isPart)
    offset = word.endIndex
    return String(decoding: word, as: UTF8.self)
  }

  private mutating func flush(to end: Int) {
    if end > start { parts.append(.html(String(decoding: html[start..<end], as: UTF8.self))) }
  }

  private func syntaxError(_ description: String) -> Template.SyntaxError {
    let line = firstLine + html[..<min(offset, html.count)].count { $0 == UInt8(ascii: "\n") }
    return Template.SyntaxError(line: line, description: description)
  }
}

extension CardTemplate.Part {
  fileprivate var placeholder: CardTemplate.Placeholder? {
    if case .text(let placeholder) = self { placeholder } else { nil }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
  fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  /// Whether the name in a placeholder can contain this. All letters outside of ASCII are allowed.
  fileprivate var isInName: Bool {
    isLetter || isDigit || self >= 0x80 || "_-. ".utf8.contains(self)
  }
  fileprivate var isSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
}
