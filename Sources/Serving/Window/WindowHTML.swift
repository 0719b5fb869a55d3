import HTTP
import Items
import Views
import Windowing

extension ResolvedWindow {
  /// The window's items as `<li>` elements.
  ///
  /// - Parameters:
  ///   - view: the px from the viewport's start that are certainly in view. Pictures there load
  ///     eagerly.
  ///   - language: the language of values in formats.
  ///   - host: the prefix of relative URLs of pictures and links.
  ///   - heading: returns the HTML before the first item of a group.
  ///   - attributes: returns additional attributes for the element of an item.
  func html(
    _ cards: CardTemplates, view: Length, in language: String? = nil, linkedTo host: String = "",
    _ mode: ReadMode,
    heading: (PlacedGroup) -> String = { _ in "" },
    attributes: (WindowItem, Frame?) -> String = { _, _ in "" }
  ) throws(Problem) -> [UInt8]? {
    let kinds = snapshot.strip.kinds
    var html = ""
    var isFirst = true
    var headed: PlacedGroup?
    let texts = texts(in: language)
    let isRead = try readItems(mode) { geometry, frame, group, item in
      let kind = kinds[Int(geometry.kind.number)]
      let id = HTML.escaped(String(decoding: item.id, as: UTF8.self))
      let fields = Fields(stored: Array(item.fields)) ?? Fields()
      if hasHeadings, group != nil, geometry.index >= headed?.end ?? .min {
        headed = layout.group(at: geometry.index)
        html += headed.map(heading) ?? ""
      }
      html += "<li data-index=\"\(geometry.index)\" data-id=\"\(id)\""
      html += " data-slot=\"\(kind)-\(geometry.slot.number)\" data-kind=\"\(kind)\""
      html += " data-start=\"\(geometry.start)\" data-size=\"\(geometry.size)\""
      if let frame { html += " data-x=\"\(frame.x)\" data-width=\"\(frame.width)\"" }
      if let group {
        html += HTML.attribute("data-group-title", group.title)
        html += " data-group-index=\"\(group.index)\""
      }
      html += "\(attributes(geometry, frame))>"
      html += cards[kind].filled(with: fields, in: texts, linkedTo: host) { address in
        let isInView = geometry.end > offset && geometry.start < offset + view
        defer { isFirst = isFirst && !isInView }
        return Picture(
          address: address, width: frame?.width ?? geometry.size,
          priority: isInView ? (isFirst ? .first : .now) : .later
        ).attributes
      }
      html += "</li>"
      return html.utf8.count
    }
    return isRead ? Array(html.utf8) : nil
  }

  /// Whether the first row of a group has room for a heading above it.
  var hasHeadings: Bool { layoutMode != .strip && heading > .zero }

  /// The texts of the strip's fields in a language. Values stay as they are if it is nil.
  func texts(in language: String?) -> LocalizedFormatter {
    LocalizedFormatter(snapshot.settings.fields, in: language)
  }

  /// The title of a group of the window as readers see it. Empty without a group.
  func title(of group: PlacedGroup?, in language: String?) -> String {
    guard let group else { return "" }
    return texts(in: language).title(
      ofGroup: group.title, sortedBy: snapshot.view?.sort.first?.field.text)
  }

  /// The CSS rules that give the items their positions and sizes in normal flow.
  ///
  /// If another style sheet sets `--height`, the items have the sizes of a strip of that height. The
  /// rules are a style sheet, because the page's Content-Security-Policy allows one by its hash, and
  /// no style attributes.
  ///
  /// - Parameter root: the selector of the element.
  /// - Precondition: The layout is a strip.
  func styleSheet(of root: String) -> String {
    guard let layout = layout.stripLayout else { preconditionFailure("The page shows a strip.") }
    let fixed = StripLayout(layout.strip, height: .zero, gap: layout.gap, wraps: layout.wraps)
    var rules = "\(root){--height:\(height)px;--taller:calc(var(--height) - \(height)px)}"
    var edge = offset
    for item in window.items {
      rules += "\(root) [data-index=\"\(item.index)\"]{margin-inline-start:\(item.start - edge)px;"
      let growing = item.size - fixed.size(of: item.index)
      if growing == .zero {
        rules += "width:\(item.size)px}"
      } else {
        let ratio = (growing.px / height.px * 100_000).rounded() / 100_000
        rules += "width:calc(\(item.size)px + \(ratio)*var(--taller))}"
      }
      edge = item.start + item.size
    }
    return rules
  }
}
