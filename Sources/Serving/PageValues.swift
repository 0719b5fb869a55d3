import Catalogue
import Windowing

/// What the page's template is filled with.
struct PageValues {
  /// A strip to go to.
  struct Link {
    let name: String
    let title: String
    let isCurrent: Bool

    var href: String { "/?strip=\(name)" }
  }

  /// The strips that the galleries show: a server without them has no use for galleries.
  private static let shownInGalleries: Set = ["albums", "billion", "elements"]

  /// The style sheet of the first window.
  let style: String
  /// The template's tags and their values, as Mustache takes them.
  let tags: [String: Any]

  /// - Parameters:
  ///   - answer: the page's first window.
  ///   - query: what the links keep of the request.
  ///   - version: the program's version.
  ///   - staleness: how old, in seconds, a cache may let the page be; nothing without one.
  ///   - strips: the strips to choose from.
  ///   - items: the first window's items as HTML.
  ///   - window: the first window as JSON, without its items.
  init(
    of answer: WindowAnswer, linkedBy query: PageQuery, version: String, staleness: Int?,
    strips: [Link],
    items: [UInt8], window: [UInt8]
  ) {
    let edition = answer.edition
    let neighbours = Neighbours(of: answer)
    style = answer.styleSheet
    var tags: [String: Any] = [
      "version": version,
      "staleness": staleness.map(String.init) ?? "",
      "strip": edition.name,
      "title": edition.settings.title,
      "countText": Self.text(ofCount: edition.strip.count),
      "last": max(0, edition.strip.count - 1),
      "strips": strips.map { ["title": $0.title, "href": $0.href, "current": $0.isCurrent] },
      "galleries": Self.shownInGalleries.isSubset(of: strips.map(\.name)),
      "style": style,
      "window": String(decoding: window, as: UTF8.self),
      "grouped": edition.strip.groupRuns(from: 0).contains { _ in true },
      "group": answer.group?.title ?? "",
      "items": String(decoding: items, as: UTF8.self),
    ]
    tags["previous"] = neighbours.previous.map { query.link(to: $0, in: edition.name) }
    tags["next"] = neighbours.next.map { query.link(to: $0, in: edition.name) }
    self.tags = tags
  }

  /// A number of items as a reader sees it: `1,000 items`.
  private static func text(ofCount count: Int) -> String {
    var digits = String(count)
    var index = digits.endIndex
    while digits.distance(from: digits.startIndex, to: index) > 3 {
      index = digits.index(index, offsetBy: -3)
      digits.insert(",", at: index)
    }
    return count == 1 ? "1 item" : "\(digits) items"
  }
}
