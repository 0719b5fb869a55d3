package import Windowing

/// How a strip is drawn, unless a request says otherwise.
package struct StripSettings: Hashable, Sendable {
  /// The title for people; the strip's name by default. At most 1024 bytes.
  package var title: String
  /// 16 to 16384 px.
  package var height = Length.px(180)
  /// Between two items, 0 to 65536 px.
  package var gap = Length.px(8)
  /// Before the first item and after the last, 0 to 65536 px.
  package var inset = Length.zero
  /// Whether the first item follows the last again.
  package var loop = false
  /// Where a viewport comes to rest.
  package var snap = Snap.none
  /// The width of an item with neither aspect nor width, 0 to 100,000 px.
  package var itemWidth = Length.px(160)
  /// The fields that views can filter and sort by and count, besides `FieldName.members`. At most 32.
  package var filterable: [FieldName] = []
  /// The fields that views search. At most 8.
  package var searchable: [FieldName] = []

  package enum Snap: String, Sendable, CaseIterable {
    case none, start, center, end
  }

  package static let heights = Length.px(16)...Length.px(16384)
  package static let gaps = Length.zero...Length.px(65536)
  package static let insets = Length.zero...Length.px(65536)
  package static let itemWidths = Length.zero...Length.px(100_000)

  package init(title: String) { self.title = title }

  /// - Throws: `.invalid`, with a sentence that begins with the name of the wrong setting.
  package func check() throws(CatalogueError) {
    try check(height, "height", Self.heights)
    try check(gap, "gap", Self.gaps)
    try check(inset, "inset", Self.insets)
    try check(itemWidth, "itemWidth", Self.itemWidths)
    guard title.utf8.count <= 1024 else {
      throw .invalid("title: it has \(title.utf8.count) bytes, more than 1024")
    }
    guard !title.utf8.contains(0) else { throw .invalid("title: it contains a NUL character") }
    try check(filterable, "filterable", 32)
    try check(searchable, "searchable", 8)
  }

  private func check(
    _ fields: [FieldName], _ name: String, _ limit: Int
  ) throws(CatalogueError) {
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

  package var isValid: Bool { (try? check()) != nil }

  private func check(
    _ length: Length, _ name: String, _ range: ClosedRange<Length>
  ) throws(CatalogueError) {
    guard range ~= length else {
      throw .invalid(
        "\(name): \(length) is not between \(range.lowerBound) and \(range.upperBound)")
    }
  }
}

/// Settings to change, for an import; nil keeps the strip's setting.
package struct SettingsChange: Hashable, Sendable {
  package var title: String?
  package var height: Length?
  package var gap: Length?
  package var inset: Length?
  package var loop: Bool?
  package var snap: StripSettings.Snap?
  package var itemWidth: Length?
  package var filterable: [FieldName]?
  package var searchable: [FieldName]?

  package init() {}

  /// The settings after the change.
  ///
  /// - Throws: `.invalid` for a setting out of its range.
  package func applied(to settings: StripSettings) throws(CatalogueError) -> StripSettings {
    var changed = settings
    changed.title = title ?? settings.title
    changed.height = height ?? settings.height
    changed.gap = gap ?? settings.gap
    changed.inset = inset ?? settings.inset
    changed.loop = loop ?? settings.loop
    changed.snap = snap ?? settings.snap
    changed.itemWidth = itemWidth ?? settings.itemWidth
    changed.filterable = filterable ?? settings.filterable
    changed.searchable = searchable ?? settings.searchable
    try changed.check()
    return changed
  }

  /// The settings of the strip `name` after the change; `title` replaces a title that is the name.
  ///
  /// - Throws: `.invalid` for a setting out of its range.
  package func applied(
    to settings: StripSettings, of name: String, called title: String?
  ) throws(CatalogueError) -> StripSettings {
    var change = self
    if settings.title == name { change.title = change.title ?? title }
    return try change.applied(to: settings)
  }
}

/// Settings to change, for `PUT /strips/{strip}`: a JSON Merge Patch (RFC 7396) of the settings.
///
///     {"title":"Albums","height":200,"snap":null}
///
/// A null restores the default. A setting that is not named keeps its value.
package struct SettingsPatch: Hashable, Sendable {
  private var change = SettingsChange()
  private var resetsTitle = false

  /// - Throws: `.invalid`, with a sentence that begins with the name of the wrong setting.
  package init(json: [UInt8]) throws(CatalogueError) {
    let defaults = StripSettings(title: "")
    var scanner = try JSONScanner(json)
    try scanner.members { scanner, name throws(CatalogueError) in
      guard Self.names.contains(name) else {
        throw .invalid("\(name.quoted) is not a setting: \(Self.names.joined(separator: ", "))")
      }
      let isNull = try scanner.null()
      func length(
        _ range: ClosedRange<Length>, _ standard: Length
      ) throws(CatalogueError) -> Length {
        isNull ? standard : try Self.length(&scanner, name, range)
      }
      switch name {
      case "title":
        resetsTitle = isNull
        if !isNull { change.title = try scanner.string(of: name) }
      case "height": change.height = try length(StripSettings.heights, defaults.height)
      case "gap": change.gap = try length(StripSettings.gaps, defaults.gap)
      case "inset": change.inset = try length(StripSettings.insets, defaults.inset)
      case "itemWidth":
        change.itemWidth = try length(StripSettings.itemWidths, defaults.itemWidth)
      case "loop": change.loop = isNull ? defaults.loop : try Self.boolean(&scanner, name)
      case "filterable":
        change.filterable = isNull ? [] : try FieldName.list(&scanner, name)
      case "searchable":
        change.searchable = isNull ? [] : try FieldName.list(&scanner, name)
      default: change.snap = isNull ? defaults.snap : try Self.snap(&scanner, name)
      }
    }
    try scanner.end()
  }

  private static let names = [
    "title", "height", "gap", "inset", "loop", "snap", "itemWidth", "filterable", "searchable",
  ]

  private static func length(
    _ scanner: inout JSONScanner, _ name: String, _ range: ClosedRange<Length>
  ) throws(CatalogueError) -> Length {
    let px = try scanner.number(of: name)
    guard range.lowerBound.px...range.upperBound.px ~= px, let length = Length(px: px) else {
      throw .invalid(
        "\(name): \(px.shortText) is not between \(range.lowerBound) and \(range.upperBound)")
    }
    return length
  }

  private static func boolean(
    _ scanner: inout JSONScanner, _ name: String
  ) throws(CatalogueError) -> Bool {
    guard case .boolean(let value) = try scanner.scalar(of: name) else {
      throw .invalid("\(name): must be true or false")
    }
    return value
  }

  private static func snap(
    _ scanner: inout JSONScanner, _ name: String
  ) throws(CatalogueError) -> StripSettings.Snap {
    guard let snap = StripSettings.Snap(rawValue: try scanner.string(of: name)) else {
      throw .invalid("\(name): must be none, start, center or end")
    }
    return snap
  }

  /// The settings of the strip `name` after the patch.
  ///
  /// - Throws: `.invalid` for a title that is too long, or for fields that cannot be declared.
  package func applied(
    to settings: StripSettings, of name: String
  ) throws(CatalogueError) -> StripSettings {
    var change = change
    if resetsTitle { change.title = name }
    return try change.applied(to: settings)
  }
}
