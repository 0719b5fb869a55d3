import Catalogue
import Items
import Views
import Windowing

/// The values for the template of a strip's page.
struct StripPageValues {
  typealias Values = CommonPageValues.Values

  /// The page's first window.
  let window: ResolvedWindow
  /// The strip without a filter, a search and an order.
  let unfiltered: Snapshot
  /// The parameters of the request that links keep.
  let query: PageQuery
  /// The fields of the first items.
  let fields: [Fields]
  let language: PageLanguage
  /// The style sheet of the first window.
  let style: String

  init(
    window: ResolvedWindow, of unfiltered: Snapshot, query: PageQuery, fields: [Fields],
    language: PageLanguage
  ) {
    self.window = window
    self.unfiltered = unfiltered
    self.query = query
    self.fields = fields
    self.language = language
    let caption = query.window.layout.caption.map { ":where(#strip){--words:\($0)px}" }
    style = window.styles(of: ":where(#strip)", query.window.layout) + (caption ?? "")
  }

  private var snapshot: Snapshot { window.snapshot }
  private var texts: LocalizedFormatter { window.texts(in: language.words.language) }

  /// - Parameters:
  ///   - items: the window's items as HTML.
  ///   - staleness: the time in seconds for which a cache may use the page without revalidation.
  func all(strips: [StripSummary], items: [UInt8], version: String, staleness: Int?) -> Values {
    let common = CommonPageValues(
      language: language, strips: strips, current: snapshot.name,
      address: address(of: window.offset))
    let isArranged = window.layoutMode != .strip
    let attributes: [Values] = query.window.layout.attributes.compactMap { name, value in
      name == "height" ? nil : ["name": .text(name), "value": .text(value)]
    }
    let html = String(decoding: items, as: UTF8.self)
    let values: [String: Template.Value?] = [
      "version": .text(version),
      "staleness": .text(staleness.map(String.init) ?? ""),
      "strip": .text(snapshot.name),
      "title": .text(snapshot.settings.title),
      "countText": .text(countText),
      "pictures": .flag(isOfPictures),
      "last": .text(String(max(0, snapshot.strip.count - 1))),
      "style": .text(style),
      "window": .text(String(decoding: window.jsonWithoutItems(), as: UTF8.self)),
      "group": .text(window.title(of: window.group, in: language.words.language)),
      "layout": isArranged || snapshot.settings.layout != .strip
        ? .text(window.layoutMode.rawValue) : nil,
      "arranged": .flag(isArranged),
      "attributes": .list(isArranged ? attributes : []),
      "grouped": .flag(
        (!isArranged || window.hasHeadings)
          && snapshot.strip.groupRuns(from: 0).contains { _ in true }),
      "items": .text(html),
      "pictured": .text(ElementWriter.pictured(html)),
      "layouts": .list(layouts),
      "previous": window.previousOffset.map { .text(address(of: $0) + language.parameter) },
      "next": window.nextOffset.map { .text(address(of: $0) + language.parameter) },
    ]
    return values.compactMapValues(\.self).merging(common.values) { $1 }.merging(filters) { $1 }
  }

  /// Whether rows show the strip well: they are for pictures. Rows of a very long strip would take too much memory.
  private var hasRows: Bool {
    snapshot.strip.count <= Limits.rowItems
      && (snapshot.settings.layout == .rows || window.layoutMode == .rows
        || unfiltered.strip.count > 0 && unfiltered.strip[0].size.aspect.units > 0)
  }

  /// Links to the page in each layout that shows the strip well.
  private var layouts: [Values] {
    LayoutMode.allCases.filter { $0 != .rows || hasRows }.map {
      mode in
      var values: Values = [
        "href": .text(query.link(to: mode, in: snapshot.name) + language.parameter)
      ]
      values["as-\(mode)"] = .flag(true)
      values["current"] = .flag(mode == window.layoutMode)
      return values
    }
  }

  /// Whether the strip is a wall of pictures.
  private var isOfPictures: Bool { snapshot.settings.layout == .rows }

  /// The number of items. If the search was corrected, the searched words stand before it.
  private var countText: String {
    let count = language.words.count(snapshot.strip.count, ofPictures: isOfPictures)
    guard let search = snapshot.view?.search, !search.corrections.isEmpty else { return count }
    return "\(language.words.corrected(to: search.correctedText)) \(count)"
  }

  private func address(of offset: Length) -> String { query.link(to: offset, in: snapshot.name) }

  /// The values for the search field, the filters and the sort menu. Empty if the strip declares no
  /// field.
  private var filters: Values {
    let view = snapshot.view?.parameters ?? []
    var values: Values = [:]
    for (parameter, text) in view { values[parameter.rawValue] = .text(text) }
    values["view"] = .list(
      view.map { ["name": .text($0.parameter.rawValue), "value": .text($0.text)] })
    values["filtered"] = .flag(!view.isEmpty)
    let (filterable, searchable) = (snapshot.settings.filterable, snapshot.settings.searchable)
    guard !filterable.isEmpty || !searchable.isEmpty else { return values }
    values["filters"] = .flag(true)
    values["empty"] = .flag(!view.isEmpty && snapshot.strip.isEmpty)
    if !searchable.isEmpty {
      values["searchable"] = .text(
        searchable.map { texts.label(of: $0.text) }.joined(separator: ", "))
    }
    guard let first = filterable.first else { return values }
    values["faceted"] = .flag(true)
    let filters = exampleFilters
    values["example"] = .text(filters.first ?? "\(first) = ...")
    values["examples"] = .list(filters.map { ["value": .text($0)] })
    // A visitor of a wall looks for an album before a date.
    let isLast = { [isOfPictures] (field: FieldName) in
      isOfPictures && snapshot.settings.fields.format(of: field.text) == .date
    }
    values["facets"] = .list(
      (filterable.filter { !isLast($0) } + filterable.filter(isLast)).map {
        ["field": .text($0.text), "label": .text(texts.label(of: $0.text))]
      })
    let sort = view.first { $0.parameter == .sort }?.text
    values["ranked"] = .flag(sort == "relevance")
    if query.groupHeading > .zero { values["heading"] = .text(query.groupHeading.description) }
    values["sorts"] = .list(sorts(chosen: sort))
    return values
  }

  /// Whether this field of one of the first items is a number.
  private func isNumber(_ field: String) -> Bool {
    fields.contains { $0[field].map { FieldValue($0.text).number != nil } ?? false }
  }

  /// Filters that the first items match. Readers without JavaScript choose from them. A filter of a date is for
  /// its month.
  private var exampleFilters: [String] {
    var seen: Set<String> = []
    return snapshot.settings.filterable.flatMap { field in
      let isDate = snapshot.settings.fields.format(of: field.text) == .date
      return fields.compactMap { $0[field.text]?.text }.filter { $0.utf8.count <= 100 }.map {
        value in
        Filter.items(with: isDate ? String(value.prefix(7)) : value, of: field).description
      }
    }.filter { seen.insert($0).inserted }
  }

  /// The options of the sort menu, with the order of the request. Fields of words are left out, except title and subtitle:
  /// a facet finds a word better than a sort does.
  private func sorts(chosen: String?) -> [Values] {
    let words = language.words
    var sorts = snapshot.settings.filterable.flatMap { field in
      let kind = words.valueKind(
        of: field.text, in: snapshot.settings.fields, isNumber: isNumber(field.text))
      let isName = ["title", "subtitle"].contains(field.text)
      let hasGroups = query.groupFields.contains(field)
      return zip([false, true], words.directions(of: kind)).compactMap {
        isDescending, text -> (value: String, text: String, hasGroups: Bool)? in
        let value = SortField(field, isDescending: isDescending).description
        guard kind != .words || value == chosen || isName && !isDescending else { return nil }
        return (value, text.replacing("…", with: texts.label(of: field.text)), hasGroups)
      }
    }
    if let chosen, chosen != "relevance", !sorts.contains(where: { $0.value == chosen }) {
      sorts.append((chosen, chosen, window.hasHeadings))
    }
    return sorts.map { value, text, hasGroups in
      var option: Values = ["value": .text(value), "text": .text(text)]
      option["grouped"] = .flag(hasGroups)
      option["selected"] = .flag(value == chosen)
      return option
    }
  }
}

// The links "previous" and "next", for pages without JavaScript.
extension ResolvedWindow {
  /// The largest offset, which shows the strip's end.
  private var lastOffset: Length {
    layout.wraps ? Length(units: .max) : max(.zero, layout.extent - viewport)
  }

  /// The offset of the viewport before this one. Nil if this one is at the strip's start.
  fileprivate var previousOffset: Length? {
    let previous = layout.wraps ? offset - viewport : min(max(.zero, offset - viewport), lastOffset)
    return previous < offset ? previous : nil
  }

  /// The start of the first item that is not wholly in the viewport, or less at the strip's end. Nil
  /// if the viewport shows that end.
  fileprivate var nextOffset: Length? {
    let edge = offset + viewport
    let cut = window.items.first { $0.start > offset && $0.start + $0.size > edge }
    let index = cut?.index ?? window.range.upperBound
    guard layout.wraps || index < layout.count else { return nil }
    guard let start = try? layout.bounds(of: index).start else { return nil }
    let next = min(start, lastOffset)
    return next > offset ? next : nil
  }
}
