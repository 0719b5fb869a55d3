package import Windowing

/// The arrangement of a strip's items.
package enum LayoutMode: String, Hashable, CaseIterable, Sendable {
  /// One row, which scrolls along the items. The other modes scroll down the page.
  case strip
  /// One item a line.
  case list
  /// Cells of equal size in columns.
  case grid
  /// Justified rows.
  case rows
}

/// How a strip is drawn, unless a request says otherwise. `Setting.all` has the limits of each value.
package struct StripSettings: Hashable, Sendable {
  /// The title for people; the strip's name by default.
  package var title: String
  package var height = Length.px(180)
  /// The space between two items.
  package var gap = Length.px(8)
  /// The space before the first item and after the last.
  package var inset = Length.zero
  /// Whether the first item follows the last again.
  package var loop = false
  /// The width of an item with neither aspect nor width.
  package var itemWidth = Length.px(160)
  package var layout = LayoutMode.strip
  /// The height of an item without an aspect in a list.
  package var itemHeight = Length.px(64)
  /// The heights of kinds whose items are not `itemHeight` high.
  package var itemHeights = ItemHeights()
  /// The aspect of a cell of a grid, and of an item without an aspect in justified rows.
  package var cellAspect = Aspect(units: 65_536)
  /// The height that a list and a grid add to an item for its words.
  package var caption = Length.zero
  /// The fields that views can filter and sort by and count, besides `FieldName.members`.
  package var filterable: [FieldName] = []
  package var searchable: [FieldName] = []
  /// The names, units and formats of fields for readers.
  package var fields = FieldSettings()

  package init(title: String) { self.title = title }

  /// - Throws: `.invalid`, with a sentence that begins with the name of the wrong setting.
  package func check() throws(CatalogueError) {
    for setting in Setting.all { try setting.check(self) }
    guard !filterable.contains("id") else {
      throw .invalid("filterable: every strip can be filtered by id; it is not declared")
    }
  }

  package var isValid: Bool { (try? check()) != nil }

  /// Reads what `json` writes.
  ///
  /// - Throws: `.invalid`, with a sentence that begins with the name of the wrong setting.
  package init(json: [UInt8]) throws(CatalogueError) {
    self.init(title: "")
    var scanner = try JSONScanner(json)
    try scanner.members { scanner, name throws(CatalogueError) in
      try Setting(named: name).read(&scanner, into: &self)
    }
    try scanner.end()
    itemHeights = ItemHeights().merged(with: itemHeights)
    fields = FieldSettings().merged(with: fields)
    try check()
  }

  /// All settings as an object, as responses and databases have them. Equal settings have equal bytes.
  package var json: [UInt8] {
    var json = JSONText()
    json.bytes.reserveCapacity(512)
    json.raw("{")
    json.list(Setting.all) { $1.write(self, to: &$0) }
    json.raw("}")
    return json.bytes
  }
}

/// The name, type and limits of a setting. Its default is that of `StripSettings`.
package struct Setting: Sendable {
  package typealias Path<Value> = any WritableKeyPath<StripSettings, Value> & Sendable

  package enum Rule: Sendable {
    /// Text of at most this many bytes, without a NUL character.
    case text(Path<String>, limit: Int)
    case length(Path<Length>, ClosedRange<Length>)
    /// A change of it is a JSON Merge Patch, too.
    case itemHeights(Path<ItemHeights>)
    case flag(Path<Bool>)
    case layout(Path<LayoutMode>)
    case aspect(Path<Aspect>, ClosedRange<Aspect>)
    /// At most this many names of fields.
    case fields(Path<[FieldName]>, limit: Int)
    /// A change of it is a JSON Merge Patch, too.
    case fieldSettings(Path<FieldSettings>)
  }

  /// The name in JSON and in errors.
  package let name: String
  fileprivate let rule: Rule

  private init(_ name: String, _ rule: Rule) {
    self.name = name
    self.rule = rule
  }

  fileprivate init(named name: String) throws(CatalogueError) {
    guard let setting = Self.all.first(where: { $0.name == name }) else {
      let names = Self.all.map(\.name).joined(separator: ", ")
      throw .invalid("\(name.quoted) is not a setting: \(names)")
    }
    self = setting
  }

  /// All settings, in the order of responses.
  package static let all = [
    Setting("title", .text(\.title, limit: 1024)),
    Setting("height", .length(\.height, .px(16)...(.px(16384)))),
    Setting("gap", .length(\.gap, .zero...(.px(65536)))),
    Setting("inset", .length(\.inset, .zero...(.px(65536)))),
    Setting("loop", .flag(\.loop)),
    Setting("itemWidth", .length(\.itemWidth, .zero...(.px(100_000)))),
    Setting("layout", .layout(\.layout)),
    Setting("itemHeight", .length(\.itemHeight, .zero...(.px(100_000)))),
    Setting("itemHeights", .itemHeights(\.itemHeights)),
    Setting(
      "cellAspect", .aspect(\.cellAspect, Aspect(units: 655)...Aspect(units: 6_553_600))),
    Setting("caption", .length(\.caption, .zero...(.px(65536)))),
    Setting("filterable", .fields(\.filterable, limit: 32)),
    Setting("searchable", .fields(\.searchable, limit: 8)),
    Setting("fields", .fieldSettings(\.fields)),
  ]

  fileprivate func check(_ settings: StripSettings) throws(CatalogueError) {
    switch rule {
    case .text(let path, let limit):
      let text = settings[keyPath: path].utf8
      guard text.count <= limit else {
        throw .invalid("\(name): it has \(text.count) bytes, more than \(limit)")
      }
      guard !text.contains(0) else { throw .invalid("\(name): it contains a NUL character") }
    case .length(let path, let range):
      let length = settings[keyPath: path]
      guard range ~= length else { throw .outside(range, "\(length)", of: name) }
    case .itemHeights(let path): try settings[keyPath: path].check(name)
    case .flag, .layout: break
    case .aspect(let path, let range):
      let aspect = settings[keyPath: path]
      guard range ~= aspect else { throw outside(range, aspect.ratio.shortText) }
    case .fields(let path, let limit): try check(settings[keyPath: path], limit: limit)
    case .fieldSettings(let path): try settings[keyPath: path].check(name)
    }
  }

  private func check(_ fields: [FieldName], limit: Int) throws(CatalogueError) {
    guard fields.count <= limit else {
      throw .invalid("\(name): it names \(fields.count) fields, more than \(limit)")
    }
    for (index, field) in fields.enumerated() {
      guard 1...1024 ~= field.text.utf8.count, !field.text.utf8.contains(0) else {
        throw .invalid("\(name): \(field.text.quoted) is not the name of a field")
      }
      guard !fields[..<index].contains(field) else {
        throw .invalid("\(name): the field \(field.text.quoted) is repeated")
      }
    }
  }

  private func outside(_ range: ClosedRange<Aspect>, _ value: String) -> CatalogueError {
    let bounds = [range.lowerBound, range.upperBound].map { ($0.ratio * 100).rounded() / 100 }
    return .invalid(
      "\(name): \(value) is not between \(bounds[0].shortText) and \(bounds[1].shortText)")
  }

  fileprivate func read(
    _ scanner: inout JSONScanner, into settings: inout StripSettings
  ) throws(CatalogueError) {
    switch rule {
    case .text(let path, _): settings[keyPath: path] = try scanner.string(of: name)
    case .length(let path, let range):
      settings[keyPath: path] = try scanner.length(of: name, in: range)
    case .itemHeights(let path): settings[keyPath: path] = try ItemHeights(&scanner, of: name)
    case .flag(let path):
      guard case .boolean(let value) = try scanner.scalar(of: name) else {
        throw .invalid("\(name): must be true or false")
      }
      settings[keyPath: path] = value
    case .layout(let path):
      let text = try scanner.string(of: name)
      guard let layout = LayoutMode(rawValue: text) else {
        let names = LayoutMode.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalid("\(name): must be one of \(names)")
      }
      settings[keyPath: path] = layout
    case .aspect(let path, let range):
      let ratio = try scanner.number(of: name)
      guard let aspect = Aspect(ratio: ratio), range ~= aspect else {
        throw outside(range, ratio.shortText)
      }
      settings[keyPath: path] = aspect
    case .fields(let path, _): settings[keyPath: path] = try FieldName.list(&scanner, name)
    case .fieldSettings(let path):
      settings[keyPath: path] = try FieldSettings(&scanner, of: name)
    }
  }

  fileprivate func write(_ settings: StripSettings, to json: inout JSONText) {
    json.string(name)
    json.raw(":")
    switch rule {
    case .text(let path, _): json.string(settings[keyPath: path])
    case .length(let path, _): json.raw(settings[keyPath: path].description.utf8)
    case .itemHeights(let path): json.raw(settings[keyPath: path].json.utf8)
    case .flag(let path): json.raw(settings[keyPath: path] ? "true" : "false")
    case .layout(let path): json.string(settings[keyPath: path].rawValue)
    case .aspect(let path, _): json.raw(settings[keyPath: path].ratio.shortText.utf8)
    case .fields(let path, _): json.raw(FieldName.json(settings[keyPath: path]).utf8)
    case .fieldSettings(let path): json.raw(settings[keyPath: path].json.utf8)
    }
  }

  fileprivate func apply(_ source: StripSettings, to target: inout StripSettings) {
    switch rule {
    case .text(let path, _): target[keyPath: path] = source[keyPath: path]
    case .length(let path, _): target[keyPath: path] = source[keyPath: path]
    case .itemHeights(let path):
      target[keyPath: path] = target[keyPath: path].merged(with: source[keyPath: path])
    case .flag(let path): target[keyPath: path] = source[keyPath: path]
    case .layout(let path): target[keyPath: path] = source[keyPath: path]
    case .aspect(let path, _): target[keyPath: path] = source[keyPath: path]
    case .fields(let path, _): target[keyPath: path] = source[keyPath: path]
    case .fieldSettings(let path):
      target[keyPath: path] = target[keyPath: path].merged(with: source[keyPath: path])
    }
  }

  fileprivate func hasPath(_ other: PartialKeyPath<StripSettings>) -> Bool {
    switch rule {
    case .text(let path, _): path == other
    case .length(let path, _): path == other
    case .itemHeights(let path): path == other
    case .flag(let path): path == other
    case .layout(let path): path == other
    case .aspect(let path, _): path == other
    case .fields(let path, _): path == other
    case .fieldSettings(let path): path == other
    }
  }
}

extension CatalogueError {
  fileprivate static func outside(
    _ range: ClosedRange<Length>, _ value: String, of name: String
  ) -> CatalogueError {
    .invalid("\(name): \(value) is not between \(range.lowerBound) and \(range.upperBound)")
  }
}

extension JSONScanner {
  /// Reads a number of px.
  mutating func length(
    of name: String, in range: ClosedRange<Length>
  ) throws(CatalogueError) -> Length {
    let px = try number(of: name)
    guard range.lowerBound.px...range.upperBound.px ~= px, let length = Length(px: px) else {
      throw .outside(range, px.shortText, of: name)
    }
    return length
  }
}

/// Settings to change. A setting that is not set keeps its value.
///
///     var patch = SettingsPatch()
///     patch.height = .px(200)
@dynamicMemberLookup
package struct SettingsPatch: Hashable, Sendable {
  /// The new values of the settings in `names`, and defaults.
  private var new = StripSettings(title: "")
  private var names: Set<String> = []
  /// Whether the title becomes the strip's name.
  private var resetsTitle = false

  package init() {}

  /// Reads a JSON Merge Patch (RFC 7396) of the settings, for `PUT /strips/{strip}`.
  ///
  ///     {"title":"Albums","height":200,"gap":null}
  ///
  /// A null restores the default.
  package init(json: [UInt8]) throws(CatalogueError) {
    var scanner = try JSONScanner(json)
    try scanner.members { scanner, name throws(CatalogueError) in
      let setting = try Setting(named: name)
      names.insert(name)
      if try !scanner.null() {
        try setting.read(&scanner, into: &new)
      } else if name == "title" {
        resetsTitle = true
      }
    }
    try scanner.end()
  }

  package subscript<Value>(
    dynamicMember path: WritableKeyPath<StripSettings, Value>
  ) -> Value? {
    get {
      Setting.all.contains { $0.hasPath(path) && names.contains($0.name) }
        ? new[keyPath: path] : nil
    }
    set {
      new[keyPath: path] = newValue ?? StripSettings(title: "")[keyPath: path]
      for setting in Setting.all where setting.hasPath(path) {
        if newValue == nil { names.remove(setting.name) } else { names.insert(setting.name) }
      }
    }
  }

  /// The settings of the strip `name` after the change.
  ///
  /// - Parameter title: replaces a title that is the name, unless the change has a title.
  /// - Throws: `.invalid` for a setting out of its range.
  package func applied(
    to settings: StripSettings, of name: String, called title: String? = nil
  ) throws(CatalogueError) -> StripSettings {
    var changed = settings
    if let title, changed.title == name { changed.title = title }
    for setting in Setting.all where names.contains(setting.name) {
      setting.apply(new, to: &changed)
    }
    if resetsTitle { changed.title = name }
    try changed.check()
    return changed
  }
}
