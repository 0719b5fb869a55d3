import Catalogue
import HTTP
import Windowing

extension WindowAnswer {
  /// The window's items as `<li>` elements. Pictures within `view` px of the viewport's start load at
  /// once, the first of them with high priority, and the others lazily.
  ///
  /// - Parameters:
  ///   - host: what relative addresses of pictures and links begin with.
  ///   - attributes: returns more attributes of an item's element.
  /// - Returns: nil if the items are not in memory and the request must not wait.
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

  /// The rules that let the items stand in flow where they stand in the strip.
  ///
  /// A style sheet can set another `--height`. The items then have the sizes of a strip of that height.
  /// They are in a style sheet, not in attributes, so that the page's security policy can name
  /// their hash.
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
