/// A card as HTML with `{field}` placeholders: one template a kind, filled alike by the server and
/// by the page.
///
///     CardTemplate("<img src=\"{image}\" alt=\"{alt}\"><b>{title}</b>")
///
/// Text is escaped. An attribute whose whole value is one placeholder is left out when the item
/// lacks the field, but for `alt`, which then is empty.
package struct CardTemplate: Sendable {
  /// A stretch of the template.
  enum Part: Equatable, Sendable {
    /// HTML as it stands.
    case html(String)
    /// A field, in text or within an attribute's value.
    case field(String)
    /// An attribute, with the blank before it, whose whole value is a field.
    case attribute(name: String, field: String)
  }

  let parts: [Part]

  package init(_ html: String) {
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
        parts.append(.attribute(name: String(attribute), field: field))
        rest = rest[rest.index(after: after)...]
      } else {
        parts.append(.html(String(rest[..<open])))
        parts.append(.field(field))
        rest = rest[after...]
      }
    }
    parts.append(.html(String(rest)))
    self.parts = parts.filter { $0 != .html("") }
  }

  /// The blank before the attribute whose value opens right before `index`, if one does.
  private static func attributeStart(
    before index: Substring.Index, in text: Substring
  ) -> Substring.Index? {
    let head = text[..<index]
    guard head.hasSuffix("=\"") else { return nil }
    let blank = head.dropLast(2).lastIndex { !$0.isAttributeName }
    return blank.flatMap { head[$0].isWhitespace ? $0 : nil }
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
