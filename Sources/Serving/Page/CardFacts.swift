package import Items
import Windowing

/// The facts on a card of the page: fields of an item beside its title and subtitle, such as its price.
/// They are the first fields that the strip filters by, or else the first fields with labels.
package struct CardFacts {
  /// The content of the subtitle's element in a card template. Nil if the strip declares no such field.
  let html: String?
  /// The field in the place of the title. Nil if items have titles, or if no field suits.
  let title: String?
  /// The height of the words below a picture in a cell of a grid: a title of two lines, a line and a price.
  let caption: Length

  /// Whether the built-in card stays as it is.
  var isEmpty: Bool { html == nil && title == nil }

  /// The fields that the built-in card shows anyway, or never as text.
  private static let shown: Set = [
    "title", "subtitle", "image", "alt", "href", "color", "thumbhash",
  ]

  /// The field of the price before a sale, which is struck out beside the price.
  private static let before = "was"

  /// The field of the number that a shop has in stock.
  private static let stock = "stock"

  /// Whether cards of all kinds have the facts, except headings.
  private let isInAllKinds: Bool

  /// - Parameter items: the fields of the first items, as a sample of all items.
  init(
    of settings: StripSettings, in words: Translation, _ items: [Fields], for layout: LayoutMode
  ) {
    let limit = layout == .list ? 6 : 3
    let texts = LocalizedFormatter(settings.fields, in: words.language)
    let title = Self.title(of: items)
    func format(of field: String) -> FieldSettings.Format {
      settings.fields.format(of: field)
        ?? (settings.fields.unit(of: field, in: nil) == nil ? .text : .number)
    }
    /// Whether the subtitle of each item is this field, as it is or with its unit.
    func isSubtitle(_ field: String) -> Bool {
      let plain = LocalizedFormatter(settings.fields, in: "en")
      let having = items.filter { $0[field] != nil }
      return !having.isEmpty
        && having.allSatisfy { item in
          guard let value = item[field]?.text, let subtitle = item["subtitle"]?.text else {
            return false
          }
          let written = plain.text(value, of: field, as: format(of: field))
          return subtitle == value || subtitle == written.replacing("\u{A0}", with: " ")
        }
    }
    /// Whether the title of each item has the words of this field. Numbers do not count, because an equal number in a
    /// title can mean something else.
    func isInTitle(_ field: String) -> Bool {
      !items.isEmpty
        && items.allSatisfy { item in
          guard let value = item[field]?.text, let title = item["title"]?.text else { return false }
          return FieldValue(value).number == nil
            && title.lowercased().contains(value.lowercased())
        }
    }
    let fields =
      settings.filterable.isEmpty ? settings.fields.labelled : settings.filterable.map(\.text)
    let facts = fields.filter { field in
      !Self.shown.contains(field) && field != title && field != Self.before
        && ItemMember(rawValue: field) == nil
        && Self.isPlaceholder(field) && !isSubtitle(field) && !isInTitle(field)
        // In a list, each fact is a column of all lines. A column that is empty in the first lines is left out.
        && (layout != .list || items.contains { $0[field] != nil })
    }
    func isPrice(_ field: String) -> Bool {
      settings.fields.format(of: field) == .currency || field.lowercased() == "price"
    }
    func value(_ field: String) -> String {
      switch format(of: field) {
      case .text: "{\(field)}"
      case .date: "<time datetime=\"{\(field)}\">{\(field)|date}</time>"
      case .number: "{\(field)|number}"
      case .currency: "{\(field)|currency}"
      }
    }
    // An item without stock is sold out, if others have some.
    let soldOut =
      items.contains { $0[Self.stock] != nil }
      ? " <em class=\"sold-out\" data-if=\"!\(Self.stock)\">\(HTML.escaped(words["Sold out"]))</em>"
      : ""
    func fact(_ field: String, _ name: String) -> String {
      let label = HTML.escaped(texts.label(of: field))
      // Words and dates need no label. A number without a unit needs one: "4" can be stars or pieces in stock.
      let isBare =
        !isPrice(field) && format(of: field) != .date
        && settings.fields.unit(of: field, in: nil) == nil
        && items.contains { $0[field].map { FieldValue($0.text).number != nil } ?? false }
      let name = isBare ? "\(name) bare" : name
      let before = " <s data-if=\"\(Self.before)\">\(value(Self.before))</s>"
      return "<span class=\"\(name)\" data-if=\"\(field)\"><span class=\"label\">\(label)</span> "
        + "\(value(field))\(isPrice(field) ? before + soldOut : "")</span>"
    }
    let price = facts.first(where: isPrice)
    let others = facts.filter { $0 != price }.prefix(limit - (price == nil ? 0 : 1))
    // Dates are short and cards are narrow: what follows them can be cut.
    let dates = others.filter { format(of: $0) == .date }
    let line = (dates + others.filter { format(of: $0) != .date }).map { fact($0, "fact") }.joined()
    let hasSubtitle = items.contains { $0["subtitle"] != nil }
    let lead = hasSubtitle ? " class=\"lead\"" : ""
    html =
      facts.isEmpty
      ? nil
      : "<span class=\"line\"><span\(lead) data-if=\"subtitle\">{subtitle}</span>\(line)</span>"
        + (price.map { fact($0, "fact price") } ?? "")
    self.title = title
    isInAllKinds = layout == .list || layout == .grid && price != nil
    let hasLine = !others.isEmpty || hasSubtitle
    caption = .px(56 + (hasLine ? 20 : 0) + (price == nil ? 0 : 20))
  }

  private static func isPlaceholder(_ field: String) -> Bool {
    field.wholeMatch(of: /[\w.-]+( [\w.-]+)*/) != nil
  }

  /// The first field with words that differ, if no item has a title. Else the first one with words.
  package static func title(of items: [Fields]) -> String? {
    guard !items.contains(where: { $0["title"] != nil }) else { return nil }
    let names = (items.first?.pairs ?? []).compactMap { name, value in
      guard case .string(let text) = value, !shown.contains(name), isPlaceholder(name) else {
        return nil as String?
      }
      let isAddress = text.contains("/") && !text.contains(" ")
      return text.contains(where: \.isLetter) && !isAddress ? name : nil
    }
    let differing = names.first { name in
      items.count > 1 && Set(items.map { $0[name]?.text }).count == items.count
    }
    return differing ?? names.first
  }

  /// The templates of a page, with the facts in the template of the kind `card`. In a list, and in a grid of items with
  /// prices, the templates of all other kinds but `heading` have the facts too.
  func added(to cards: CardTemplates) -> [(kind: String, html: String)] {
    cards.sources.map { kind, html in
      guard kind == "card" || isInAllKinds && kind != "heading" else { return (kind, html) }
      let facts = html.replacing("{subtitle}", with: self.html ?? "{subtitle}")
      guard let title else { return (kind, facts) }
      let instead = "<span class=\"instead\" data-if=\"!title\">{\(title)}</span>"
      return (kind, facts.replacing("{title}", with: "{title}\(instead)"))
    }
  }
}
