import Catalogue
import Items

/// The values for the templates of all pages: links to the strips, and to the page in other languages.
struct CommonPageValues {
  typealias Values = [String: Template.Value]

  let language: PageLanguage
  let strips: [StripSummary]
  /// The name of the strip that the page shows. Nil for the first page.
  var current: String?
  /// The address of the page, without its language: `/` or `/?strip=albums`.
  let address: String

  /// The most strips that a page shows as tabs or as shelves. More strips are in a menu.
  static let tabLimit = 12

  /// The built-in strips, those with pictures first. Only a server that has them links to the galleries, and has the tour.
  private static let builtIn = ["landscapes", "albums", "moons", "elements", "billion"]

  static func hasBuiltIns(_ strips: [StripSummary]) -> Bool {
    Set(builtIn).isSubset(of: strips.map(\.name))
  }

  /// The strips in the order of the page: first the built-in strips, if the server has them.
  private var ordered: [StripSummary] {
    guard Self.hasBuiltIns(strips) else { return strips }
    let first = Self.builtIn.compactMap { name in strips.first { $0.name == name } }
    return first + strips.filter { !Self.builtIn.contains($0.name) }
  }

  var values: Values {
    let links = ordered.map { strip in
      link(
        strip.name, strip.settings.title, to: "/?strip=\(strip.name)\(language.parameter)",
        isCurrent: strip.name == current
      ).merging([
        "count": .text(language.words.count(strip.count))
      ]) { $1 }
    }
    let isMenu = strips.count > Self.tabLimit
    let hasBuiltIns = Self.hasBuiltIns(strips)
    var values: Values = [
      "language": .text(language.words.language), "langParameter": .text(language.parameter),
      "home": .text(language.given.map { "/?lang=\($0)" } ?? "/"),
      "tabs": .list(isMenu ? [] : links), "strips": .list(links),
      "shelves": .list(hasBuiltIns ? [] : Array(links.prefix(Self.tabLimit))),
    ]
    values["menu"] = .flag(isMenu)
    values["galleries"] = .flag(hasBuiltIns)
    values["lang"] = language.given.map { .text($0) }
    guard language.all.count > 1 else { return values }
    values["translated"] = .flag(true)
    values["languages"] = .list(
      language.all.map { words in
        link(
          words.language, words.name,
          to: "\(address)\(address.contains("?") ? "&" : "?")lang=\(words.language)",
          isCurrent: words.language == language.words.language)
      })
    return values
  }

  /// A link to a strip, or to the page in another language.
  private func link(_ name: String, _ title: String, to href: String, isCurrent: Bool) -> Values {
    var values: Values = ["name": .text(name), "title": .text(title), "href": .text(href)]
    values["current"] = .flag(isCurrent)
    return values
  }
}

extension Template.Value {
  /// A value that only switches a section on or off. It hides one of this name in the sections around it.
  static func flag(_ isOn: Bool) -> Template.Value { .list(isOn ? [[:]] : []) }
}
