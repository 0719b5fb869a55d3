internal import Mustache

/// The demo page: `Public/index.html`, a Mustache template that holds the cards' templates.
package struct Page: Sendable {
  let cards: Cards
  private let template: MustacheTemplate

  /// - Throws: what is wrong with the template.
  package init(_ html: String) throws {
    cards = Cards(in: html)
    template = try MustacheTemplate(string: html)
  }

  func rendered(_ values: PageValues) -> [UInt8] {
    Array(template.render(values.dictionary).utf8)
  }
}

/// What the page's template is filled with.
struct PageValues {
  struct Link {
    let title: String
    let href: String
    let isCurrent: Bool
  }

  var strip: String
  var title: String
  var countText: String
  var last: Int
  var strips: [Link]
  /// The style sheet of the first window.
  var style: String
  /// The first window's JSON, without its items.
  var window: String
  var isGrouped: Bool
  var group: String
  /// The first window's items, as HTML.
  var items: String
  var previous: String?
  var next: String?

  fileprivate var dictionary: [String: Any] {
    var values: [String: Any] = [
      "strip": strip, "title": title, "countText": countText, "last": last, "style": style,
      "strips": strips.map { ["title": $0.title, "href": $0.href, "current": $0.isCurrent] },
      "window": window, "grouped": isGrouped, "group": group, "items": items,
    ]
    values["previous"] = previous
    values["next"] = next
    return values
  }
}
