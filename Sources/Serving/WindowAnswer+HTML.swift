import Catalogue
import HTTP
import Windowing

extension WindowAnswer {
  /// The window's items as `<li>` elements ready to stand in the page, whose pictures within `view`
  /// px of the viewport's start load at once, the first before anything else, and others lazily.
  ///
  /// - Complexity: O(items), one read of the source.
  func html(_ cards: Cards, view: Length) throws(Problem) -> [UInt8] {
    let kinds = edition.strip.kinds
    var html = ""
    var isFirst = true
    for card in try self.cards() {
      let place = card.place
      let kind = kinds[Int(place.kind.number)]
      html += "<li data-index=\"\(place.index)\" data-id=\"\(HTML.escaped(card.content.id))\""
      html += " data-slot=\"\(kind)-\(place.slot.number)\" data-kind=\"\(kind)\""
      html += " data-start=\"\(place.start)\" data-size=\"\(place.size)\">"
      html += cards[kind].filled(with: card.content.fields) { address in
        let isInView = place.end > offset && place.start < offset + view
        defer { isFirst = isFirst && !isInView }
        return Picture(
          address: address, width: place.size,
          urgency: isInView ? (isFirst ? .first : .now) : .later
        ).attributes
      }
      html += "</li>"
    }
    return Array(html.utf8)
  }

  /// The rules that let the items stand in flow where they stand in the strip.
  ///
  /// They are in a style sheet, not in attributes, so that the page's security policy can name
  /// their hash.
  var styleSheet: String {
    var rules = "carousel-strip{--height:\(layout.height)px}"
    var edge = offset
    for item in window.items {
      rules += "[data-index=\"\(item.index)\"]{margin-left:\(item.start - edge)px;"
      rules += "width:\(item.size)px}"
      edge = item.start + item.size
    }
    return rules
  }
}
