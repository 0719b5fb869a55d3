/// HTML with placeholders, for the pages.
///
///     let page = try Template("<ul>{{#strips}}<li>{{title}}</li>{{/strips}}</ul>")
///     page.rendered(["strips": .list([["title": .text("Albums")]])])  // <ul><li>Albums</li></ul>
///
/// It has these tags of Mustache:
///
/// - `{{name}}` is a value as text, escaped.
/// - `{{{name}}}` is a value as HTML.
/// - `{{#name}}...{{/name}}` is rendered once for each element of a list, or if there is a value.
/// - `{{^name}}...{{/name}}` is rendered if there is no value.
/// - `{{.}}` is the value of the section.
/// - `{{_ Text}}` is a text in the page's language. Its key is the English text. `…` in the text
///   stands for the value of the section.
package struct Template: Sendable {
  package indirect enum Part: Equatable, Sendable {
    case html(String)
    case text(String)
    case raw(String)
    case words(String)
    case section(String, isInverted: Bool, [Part])
  }

  package enum Value {
    case text(String)
    case list([[String: Value]])
  }

  package struct SyntaxError: Error, Equatable, CustomStringConvertible {
    package let line: Int
    package let description: String
  }

  package let parts: [Part]

  package init(_ html: String) throws(SyntaxError) {
    typealias Section = (name: String, isInverted: Bool, line: Int, before: [Part])
    var parts: [Part] = []
    var open: [Section] = []
    var rest = html[...]
    var line = 1
    while let tag = rest.firstRange(of: "{{") {
      parts.append(.html(String(rest[..<tag.lowerBound])))
      line += rest[..<tag.lowerBound].count(where: \.isNewline)
      let isRaw = rest[tag.upperBound...].hasPrefix("{")
      guard let end = rest[tag.upperBound...].firstRange(of: isRaw ? "}}}" : "}}") else {
        throw SyntaxError(line: line, description: "unclosed tag")
      }
      let content = rest[tag.upperBound..<end.lowerBound]
      let mark = content.first
      let name = String(content.drop { "{#^/ ".contains($0) }.prefix { $0 != " " })
      switch mark {
      case "{": parts.append(.raw(name))
      case "_": parts.append(.words(String(content.dropFirst(2))))
      case "#", "^":
        open.append((name, mark == "^", line, parts))
        parts = []
      case "/":
        guard let section = open.popLast(), section.name == name else {
          throw SyntaxError(line: line, description: "the section \"\(name)\" is not open here")
        }
        parts =
          section.before + [.section(name, isInverted: section.isInverted, parts)]
      default: parts.append(.text(name))
      }
      line += content.count(where: \.isNewline)
      rest = rest[end.upperBound...]
    }
    if let section = open.last {
      throw SyntaxError(line: section.line, description: "unclosed section \"\(section.name)\"")
    }
    self.parts = parts + [.html(String(rest))]
  }

  /// The page with these values, in the language of `words`. A name without a value renders as
  /// empty.
  package func rendered(_ values: [String: Value], in words: Translation = .english) -> String {
    var html = ""
    Self.render(parts, [values], words, into: &html)
    return html
  }

  /// - Parameter scopes: the values of the page, then the values of each section around the parts.
  private static func render(
    _ parts: [Part], _ scopes: [[String: Value]], _ words: Translation, into html: inout String
  ) {
    func value(_ name: String) -> Value? { scopes.reversed().lazy.compactMap { $0[name] }.first }
    for part in parts {
      switch part {
      case .html(let text): html += text
      case .text(let name):
        if case .text(let text) = value(name) { html += HTML.escaped(text) }
      case .raw(let name):
        if case .text(let text) = value(name) { html += text }
      case .words(let english):
        var text = words[english]
        if case .text(let subject) = value("."), let mark = text.firstIndex(of: "…") {
          text.replaceSubrange(mark...mark, with: subject)
        }
        html += HTML.escaped(text)
      case .section(let name, let isInverted, let content):
        let elements: [[String: Value]] =
          switch value(name) {
          case nil: []
          case .text(let text): [[".": .text(text)]]
          case .list(let elements): elements
          }
        if isInverted {
          if elements.isEmpty { render(content, scopes, words, into: &html) }
        } else {
          for element in elements { render(content, scopes + [element], words, into: &html) }
        }
      }
    }
  }
}
