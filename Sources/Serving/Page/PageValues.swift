import Catalogue
import Windowing

/// The values of the page's template.
struct PageValues {
  /// A link to a strip.
  struct Link {
    let name: String
    let title: String
    let isCurrent: Bool

    var href: String { "/?strip=\(name)" }
  }

  /// The strips that the galleries show: a server without them does not link to the galleries.
  private static let shownInGalleries: Set = ["albums", "billion", "elements"]

  /// The style sheet of the first window.
  let style: String
  /// The values by the names of the template.
  let values: [String: Template.Value]

  /// - Parameters:
  ///   - answer: the page's first window.
  ///   - query: what the links keep of the request.
  ///   - version: the program's version.
  ///   - staleness: for how many seconds a cache may use the page without a request.
  ///   - strips: the strips to choose from.
  ///   - items: the first window's items as HTML.
  ///   - window: the first window as JSON, without its items.
  init(
    of answer: WindowAnswer, linkedBy query: PageQuery, version: String, staleness: Int?,
    strips: [Link], items: [UInt8], window: [UInt8]
  ) {
    let edition = answer.edition
    let neighbours = Neighbours(of: answer)
    style = answer.styleSheet
    var values: [String: Template.Value] = [
      "version": .text(version),
      "staleness": .text(staleness.map(String.init) ?? ""),
      "strip": .text(edition.name),
      "title": .text(edition.settings.title),
      "countText": .text(Self.text(ofCount: edition.strip.count)),
      "last": .text(String(max(0, edition.strip.count - 1))),
      "strips": .list(
        strips.map { strip in
          var link = ["title": Template.Value.text(strip.title), "href": .text(strip.href)]
          if strip.isCurrent { link["current"] = .text("") }
          return link
        }),
      "style": .text(style),
      "window": .text(String(decoding: window, as: UTF8.self)),
      "group": .text(answer.group?.title ?? ""),
      "items": .text(String(decoding: items, as: UTF8.self)),
    ]
    for entry in edition.view?.parameters ?? [] {
      values[entry.parameter.rawValue] = .text(entry.text)
    }
    if Self.shownInGalleries.isSubset(of: strips.map(\.name)) { values["galleries"] = .text("") }
    if edition.strip.groupRuns(from: 0).contains(where: { _ in true }) {
      values["grouped"] = .text("")
    }
    for (name, offset) in [("previous", neighbours.previous), ("next", neighbours.next)] {
      values[name] = offset.map { .text(query.link(to: $0, in: edition.name)) }
    }
    self.values = values
  }

  /// A number of items for people: `1,000 items`.
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
