import Windowing

/// What is changed of a strip's settings: a JSON Merge Patch (RFC 7396) of them.
///
///     {"title":"Albums","height":200,"snap":null}
///
/// What is null goes back to the contract's default; what is not named stays.
package struct SettingsPatch: Hashable, Sendable {
  private var change = SettingsChange()
  private var defaults: Set<String> = []

  /// - Throws: `.invalid`, with a sentence that begins with the setting at fault.
  package init(json: [UInt8]) throws(CatalogueError) {
    var scanner = try JSONScanner(json)
    try scanner.members { scanner, name throws(CatalogueError) in
      guard Self.names.contains(name) else {
        throw .invalid("\(name.quoted) is not one of \(Self.names.joined(separator: ", "))")
      }
      if try scanner.null() {
        defaults.insert(name)
        return
      }
      switch name {
      case "title": change.title = try scanner.string(of: name)
      case "height": change.height = try Self.length(&scanner, name, StripSettings.heights)
      case "gap": change.gap = try Self.length(&scanner, name, StripSettings.gaps)
      case "inset": change.inset = try Self.length(&scanner, name, StripSettings.insets)
      case "itemWidth": change.itemWidth = try Self.length(&scanner, name, StripSettings.itemWidths)
      case "loop":
        guard case .boolean(let loop) = try scanner.scalar(of: name) else {
          throw .invalid("loop: it is neither true nor false")
        }
        change.loop = loop
      default:
        guard let snap = StripSettings.Snap(rawValue: try scanner.string(of: name)) else {
          throw .invalid("snap: it is not none, start, center or end")
        }
        change.snap = snap
      }
    }
    try scanner.end()
  }

  private static let names = ["title", "height", "gap", "inset", "loop", "snap", "itemWidth"]

  private static func length(
    _ scanner: inout JSONScanner, _ name: String, _ range: ClosedRange<Length>
  ) throws(CatalogueError) -> Length {
    let px = try scanner.number(of: name)
    guard range.lowerBound.px...range.upperBound.px ~= px, let length = Length(px: px) else {
      throw .invalid(
        "\(name): \(px.spelled) is not within \(range.lowerBound) and \(range.upperBound)")
    }
    return length
  }

  /// The settings of the strip `name` after the patch.
  ///
  /// - Throws: `.invalid` for a title that is too long.
  package func applied(
    to settings: StripSettings, of name: String
  ) throws(CatalogueError) -> StripSettings {
    let fresh = StripSettings(title: name)
    var kept = settings
    for setting in defaults {
      switch setting {
      case "title": kept.title = fresh.title
      case "height": kept.height = fresh.height
      case "gap": kept.gap = fresh.gap
      case "inset": kept.inset = fresh.inset
      case "loop": kept.loop = fresh.loop
      case "snap": kept.snap = fresh.snap
      default: kept.itemWidth = fresh.itemWidth
      }
    }
    return try change.applied(to: kept)
  }
}
