import Windowing

/// A card's picture as the attributes of an `<img>`, the same that the page's script would set.
///
///     Picture(address: "/a-{w}.jpg", width: .px(180), urgency: .first).attributes
///     // srcset="/a-180.jpg 1x,/a-360.jpg 2x,/a-540.jpg 3x" src="/a-180.jpg"
///     // loading="eager" fetchpriority="high"
struct Picture {
  /// How soon a picture is wanted.
  enum Urgency {
    /// Before anything else: the first in view.
    case first
    /// At once: it is in view.
    case now
    /// When the reader comes near.
    case later
  }

  /// Where it is; `{w}` stands for its width in px.
  let address: String
  let width: Length
  let urgency: Urgency

  var attributes: String {
    var sources = HTML.attribute("src", address(atDensity: 1))
    if address.contains("{w}") {
      // The server cannot know the screen: the browser chooses by its density.
      let set = (1...3).map { "\(address(atDensity: $0)) \($0)x" }.joined(separator: ",")
      sources = HTML.attribute("srcset", set) + sources
    }
    return sources
      + HTML.attribute("loading", urgency == .later ? "lazy" : "eager")
      + HTML.attribute("fetchpriority", urgency == .first ? "high" : "auto")
  }

  private func address(atDensity density: Int) -> String {
    address.replacing("{w}", with: String(Int((width.px * Double(density)).rounded(.up))))
  }
}
