import Catalogue
import HTTP
import Windowing

extension WindowAnswer {
  /// The window's items as `<li>` elements.
  ///
  /// Pictures within `view` px of the viewport's start load eagerly, and the first of them has high
  /// priority. All other pictures load lazily.
  ///
  /// - Parameters:
  ///   - host: the prefix of relative URLs of pictures and links.
  ///   - attributes: returns additional attributes for the element of an item.
  /// - Returns: nil if the items are not in memory and the mode is `cachedOnly`.
  /// - Complexity: O(items), one read of the source.
  func html(
    _ cards: Cards, view: Length, linkedTo host: String = "", _ mode: ReadMode,
    attributes: (WindowItem) -> String = { _ in "" }
  ) throws(Problem) -> [UInt8]? {
    let kinds = edition.strip.kinds
    var html = ""
    var isFirst = true
    let isRead = try readItems(mode) { geometry, item in
      let kind = kinds[Int(geometry.kind.number)]
      let id = HTML.escaped(String(decoding: item.id, as: UTF8.self))
      let fields = Fields(stored: Array(item.fields)) ?? Fields()
      html += "<li data-index=\"\(geometry.index)\" data-id=\"\(id)\""
      html += " data-slot=\"\(kind)-\(geometry.slot.number)\" data-kind=\"\(kind)\""
      html +=
        " data-start=\"\(geometry.start)\" data-size=\"\(geometry.size)\"\(attributes(geometry))>"
      html += cards[kind].filled(with: fields, linkedTo: host) { address in
        let isInView = geometry.end > offset && geometry.start < offset + view
        defer { isFirst = isFirst && !isInView }
        return Picture(
          address: address, width: geometry.size,
          urgency: isInView ? (isFirst ? .first : .now) : .later
        ).attributes
      }
      html += "</li>"
      return html.utf8.count
    }
    return isRead ? Array(html.utf8) : nil
  }

  /// The CSS rules that give the items their positions and sizes in normal flow.
  ///
  /// Another style sheet can set `--height`. Then the items have the sizes of a strip of that
  /// height. The rules are in a style sheet, not in attributes, because the page's
  /// Content-Security-Policy allows one style by its hash.
  var styleSheet: String {
    let height = layout.height
    let fixed = Layout(layout.strip, height: .zero, gap: layout.gap, wraps: layout.wraps)
    var rules = "carousel-strip{--height:\(height)px;--taller:calc(var(--height) - \(height)px)}"
    var edge = offset
    for item in window.items {
      rules += "[data-index=\"\(item.index)\"]{margin-inline-start:\(item.start - edge)px;"
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
