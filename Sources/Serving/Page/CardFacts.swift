import Items

/// What a card of the page says of an item beside its title and subtitle, such as its price: the first
/// fields that the strip filters by, else those that have labels.
struct CardFacts {
  /// The content of the subtitle's element in a card template. Nil if the strip declares no such field.
  let html: String?

  /// The fields that the built-in card shows anyway, or never as text.
  private static let shown: Set = [
    "title", "subtitle", "image", "alt", "href", "color", "thumbhash",
  ]
  private static let most = 3

  init(of settings: StripSettings, in language: String) {
    let texts = LocalizedFormatter(settings.fields, in: language)
    let fields =
      settings.filterable.isEmpty ? settings.fields.labelled : settings.filterable.map(\.text)
    let facts = fields.filter { field in
      !Self.shown.contains(field) && ItemMember(rawValue: field) == nil
        && field.wholeMatch(of: /[\w.-]+( [\w.-]+)*/) != nil  // the name can be a placeholder
    }.prefix(Self.most).map { field in
      let unit = settings.fields.unit(of: field, in: nil)
      let format =
        settings.fields.format(of: field)?.rawValue ?? (unit == nil ? nil : "number")
      let label = HTML.escaped(texts.label(of: field))
      return "<span class=\"fact\" data-if=\"\(field)\"><span class=\"label\">\(label)</span> "
        + "{\(field)\(format.map { "|\($0)" } ?? "")}</span>"
    }
    html =
      facts.isEmpty
      ? nil : "<span data-if=\"subtitle\">{subtitle}</span>" + facts.joined()
  }

  /// The templates of a page, of which that of the kind `card` has the facts.
  func added(to cards: Cards) -> [(kind: String, html: String)] {
    cards.sources.map { kind, html in
      (kind, kind == "card" ? html.replacing("{subtitle}", with: self.html ?? "{subtitle}") : html)
    }
  }
}
