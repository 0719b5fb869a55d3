import Items
import Windowing

package enum HTML {
  /// `text` with escapes, for an element or for an attribute in double quotes.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { special.contains($0) }) else { return text }
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count + 16)
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// An attribute, with the space before it.
  package static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value))\""
  }

  /// `link` for a page on another server: relative links get the prefix `host`.
  static func link(_ link: String, from host: String) -> String {
    guard !host.isEmpty, !link.hasPrefix("//"),
      link.prefix(while: { !"/?#".contains($0) }).firstIndex(of: ":") == nil
    else { return link }
    return host + (link.hasPrefix("/") ? "" : "/") + link
  }

  private static let special = Set("&<>\"".utf8)
}

/// A card's `<img>`. The page's script sets the same attributes.
///
///     Picture(address: "/a-{w}.jpg", width: .px(180), urgency: .first).attributes
///     // srcset="/a-240.jpg 1x,/a-480.jpg 2x,/a-640.jpg 3x" src="/a-240.jpg"
///     // loading="eager" fetchpriority="high"
struct Picture {
  /// How soon a picture loads.
  enum Urgency {
    /// The first picture in view: eagerly, with high priority.
    case first
    /// Another picture in view. It loads eagerly.
    case now
    /// A picture out of view. It loads lazily, when the viewport comes near.
    case later
  }

  /// A URL. `{w}` in it stands for the width in device pixels, taken up to the next `PictureWidth`.
  let address: String
  let width: Length
  let urgency: Urgency

  var attributes: String {
    var sources = HTML.attribute("src", address(atDensity: 1))
    if address.contains("{w}") {
      // The browser chooses a URL by the pixel density of its screen.
      let set = (1...3).map { "\(address(atDensity: $0)) \($0)x" }.joined(separator: ",")
      sources = HTML.attribute("srcset", set) + sources
    }
    return sources
      + HTML.attribute("loading", urgency == .later ? "lazy" : "eager")
      + HTML.attribute("fetchpriority", urgency == .first ? "high" : "auto")
  }

  private func address(atDensity density: Int) -> String {
    let px = Int((width.px * Double(density)).rounded(.up))
    let wide = PictureWidth.least(px)
    return address.replacing("{w}", with: String(wide))
  }
}
