import Catalogue
import Windowing

struct PageValues {
  /// A link to a strip, or to the page in another language.
  struct Link {
    /// The name of the strip, or the tag of the language.
    let name: String
    let title: String
    let href: String
    let isCurrent: Bool

    var values: [String: Template.Value] {
      var values: [String: Template.Value] = [
        "name": .text(name), "title": .text(title), "href": .text(href),
      ]
      if isCurrent { values["current"] = .text("") }
      return values
    }
  }

  /// The most strips that the page shows as tabs. It shows more strips as a menu.
  private static let tabLimit = 12

  /// The strips of the galleries. The page links to the galleries only if the server has these
  /// strips.
  private static let shownInGalleries: Set = ["albums", "billion", "elements"]

  /// The style sheet of the first window.
  let style: String
  let values: [String: Template.Value]

  /// - Parameters:
  ///   - answer: the page's first window; `items` is its items as HTML, `window` the rest as JSON.
  ///   - query: the parameters of the request that links keep.
  ///   - staleness: the time in seconds for which a cache may use the page without revalidation.
  init(
    of answer: WindowAnswer, linkedBy query: PageQuery, in language: PageLanguage,
    version: String, staleness: Int?, strips: [Link], items: [UInt8], window: [UInt8]
  ) {
    let edition = answer.edition
    let neighbours = PageLinks(of: answer)
    style = answer.styleSheet
    var values: [String: Template.Value] = [
      "version": .text(version),
      "staleness": .text(staleness.map(String.init) ?? ""),
      "strip": .text(edition.name),
      "title": .text(edition.settings.title),
      "countText": .text(language.words.count(edition.strip.count)),
      "last": .text(String(max(0, edition.strip.count - 1))),
      "style": .text(style),
      "window": .text(String(decoding: window, as: UTF8.self)),
      "group": .text(answer.group?.title ?? ""),
      "items": .text(String(decoding: items, as: UTF8.self)),
    ]
    values["tabs"] = .list((strips.count > Self.tabLimit ? [] : strips).map(\.values))
    values["strips"] = .list(strips.map(\.values))
    if strips.count > Self.tabLimit { values["menu"] = .text("") }
    let here = query.link(to: answer.offset, in: edition.name)
    values.merge(Self.languages(language, linkedBy: here)) { $1 }
    values.merge(Self.filters(of: edition)) { $1 }
    if Self.shownInGalleries.isSubset(of: strips.map(\.name)) { values["galleries"] = .text("") }
    if edition.strip.groupRuns(from: 0).contains(where: { _ in true }) {
      values["grouped"] = .text("")
    }
    for (name, offset) in [("previous", neighbours.previous), ("next", neighbours.next)] {
      values[name] = offset.map {
        .text(query.link(to: $0, in: edition.name) + language.parameter)
      }
    }
    self.values = values
  }

  /// The values for the page's language, and for links to `address` in each language.
  private static func languages(
    _ language: PageLanguage, linkedBy address: String
  ) -> [String: Template.Value] {
    var values: [String: Template.Value] = [
      "language": .text(language.words.language), "langParameter": .text(language.parameter),
    ]
    values["lang"] = language.given.map { .text($0) }
    guard language.all.count > 1 else { return values }
    values["translated"] = .text("")
    values["languages"] = .list(
      language.all.map { words in
        Link(
          name: words.language, title: words.name, href: "\(address)&lang=\(words.language)",
          isCurrent: words.language == language.words.language
        ).values
      })
    return values
  }

  /// The values for the search field, the filters and the sort menu. Empty if the strip declares no
  /// field.
  private static func filters(of edition: Edition) -> [String: Template.Value] {
    var values: [String: Template.Value] = [:]
    var view: [[String: Template.Value]] = []
    var chosen = ""
    for (parameter, text) in edition.view?.parameters ?? [] {
      values[parameter.rawValue] = .text(text)
      view.append(["name": .text(parameter.rawValue), "value": .text(text)])
      if parameter == .sort { chosen = text }
    }
    values["view"] = .list(view)
    if !view.isEmpty { values["filtered"] = .text("") }
    let filterable = edition.settings.filterable.map(\.text)
    let searchable = edition.settings.searchable.map(\.text).joined(separator: ", ")
    guard !filterable.isEmpty || !searchable.isEmpty else { return values }
    values["filters"] = .text("")
    if !view.isEmpty && edition.strip.isEmpty { values["empty"] = .text("") }
    if !searchable.isEmpty { values["searchable"] = .text(searchable) }
    guard let first = edition.settings.filterable.first else { return values }
    values["example"] = .text("\(first) = ...")
    values["facets"] = .list(filterable.map { ["field": .text($0)] })
    var sorts = edition.settings.filterable.flatMap { field in
      [false, true].map { isDescending in
        (
          SortField(field, isDescending: isDescending).description,
          "\(field) \(isDescending ? "↓" : "↑")"
        )
      }
    }
    if !chosen.isEmpty && !sorts.contains(where: { $0.0 == chosen }) {
      sorts.append((chosen, chosen))
    }
    values["sorts"] = .list(
      sorts.map { value, text in
        var option = ["value": Template.Value.text(value), "text": .text(text)]
        if value == chosen { option["selected"] = .text("") }
        return option
      })
    return values
  }
}
