import HTTP
import Items
import Views
package import Windowing

/// Writes a window as a complete `<carousel-strip>` element, which a page of any server can embed.
///
/// It has no inline styles: css/lengths.css positions the cards by their `data-px`. The attribute
/// `data-window` has the window as JSON, so the script requests nothing until the visitor scrolls.
package struct ElementWriter {
  let window: ResolvedWindow
  let query: WindowQuery
  let cards: CardTemplates
  /// The prefix of the links: `//strips.example`, or empty for links within the server.
  let host: String
  let version: String

  private var language: String? { query.attributes.first { $0.name == "lang" }?.value }

  private func title(of group: PlacedGroup?) -> String {
    HTML.escaped(window.title(of: group, in: language))
  }

  func html(_ mode: ReadMode) throws(Problem) -> [UInt8]? {
    var edge = window.offset
    let items = try window.html(
      cards, view: window.viewport, in: language, linkedTo: host, mode, heading: heading(of:)
    ) { item, frame in
      defer { edge = item.end }
      let lengths =
        if let frame {
          [
            Self.bits(frame.width, "w"), Self.bits(frame.x, "m"), Self.bits(item.size, "s"),
            Self.bits(item.start - window.offset, "t"),
          ]
        } else {
          [Self.bits(item.size, "w"), Self.bits(item.start - edge, "m")]
        }
      return HTML.attribute("data-px", lengths.filter { !$0.isEmpty }.joined(separator: " "))
    }
    guard let items, let json = try window.json(mode) else { return nil }

    var html = "<carousel-strip"
    for (name, value) in attributes { html += HTML.attribute(name, value) }
    let text = String(decoding: json, as: UTF8.self)
    // Single quotes, because JSON contains many double quotes.
    html += " data-window='\(text.replacing("&", with: "&amp;").replacing("'", with: "&#39;"))'>"
    for name in ["strip", "card", "lengths"] {
      html += "<link rel=\"stylesheet\" href=\"\(HTML.escaped(host))/css/\(name).css\">"
    }
    html += cards.sources.map(\.html).joined()
    if !cards.sources.contains(where: { $0.kind == "card" }) {
      html += "<template data-kind=\"card\">\(CardTemplates.plainCard)</template>"
    }
    if query.template != nil, cards.hasGroupHeading {
      html += "<p class=\"group\">\(title(of: window.group))</p>"
    }
    html += "<ul\(Self.pictured(String(decoding: items, as: UTF8.self)))>"
    return Array(html.utf8) + items + Array("</ul></carousel-strip>".utf8)
  }

  /// The heading of a group where the script shows it: above the group's first row. If that is above
  /// the viewport, the heading is at the viewport's top, and leaves it with the group.
  private func heading(of group: PlacedGroup) -> String {
    let height = window.heading
    let next = try? window.layout.bounds(of: group.end).start
    let hasHeading = next != nil && window.layout.group(at: group.end) != nil
    let end = next.map { hasHeading ? $0 - height : $0 } ?? window.layout.extent
    let top = max(group.start - height, min(window.offset, end - height))
    let lengths = [
      Self.bits(window.width, "w"), Self.bits(height, "s"), Self.bits(top - window.offset, "t"),
    ]
    return "<li class=\"heading\" data-start=\"\(group.start)\""
      + HTML.attribute("data-px", lengths.filter { !$0.isEmpty }.joined(separator: " "))
      + ">\(title(of: group))</li>"
  }

  private var attributes: [(name: String, value: String)] {
    let snapshot = window.snapshot
    var attributes = [("strip", snapshot.name)]
    for entry in snapshot.view?.parameters ?? [] {
      attributes.append((entry.parameter.rawValue, entry.text))
    }
    attributes += query.attributes
    if window.layoutMode != .strip || snapshot.settings.layout != .strip {
      attributes.append(("layout", window.layoutMode.rawValue))
    }
    attributes += query.layout.attributes
    if query.layout.wrap == true, !attributes.contains(where: { $0.0 == "loop" }) {
      attributes.append(("loop", ""))
    }
    attributes.append(("role", "region"))
    if window.layoutMode == .strip { attributes.append(("aria-roledescription", "carousel")) }
    if !attributes.contains(where: { ["aria-label", "aria-labelledby"].contains($0.0) }) {
      attributes.append(("aria-label", snapshot.settings.title))
    }
    return attributes + [
      ("data-version", version), ("data-px", Self.bits(window.height, "h")),
    ]
  }

  /// The attribute of a list with a picture in one of its cards, or nothing. The script updates it.
  package static func pictured(_ items: String) -> String {
    items.contains(" src=\"") ? " data-pictured" : ""
  }

  /// A length as the names of its set bits, in 1/64 px. For example, `w7 w9` is 10 px. `-m` marks a
  /// negative length. Longer lengths are clamped to 24 bits, just below 2^18 px.
  package static func bits(_ length: Length, _ name: String) -> String {
    let units = min(length.units.magnitude, 1 << 24 - 1)
    let bits = (0..<24).filter { units >> $0 & 1 == 1 }.map { "\(name)\($0)" }
    return ((length < .zero ? ["-\(name)"] : []) + bits).joined(separator: " ")
  }
}
