import Items
import Windowing

/// A card's `<img>`. The page's script sets the same attributes.
///
///     Picture(address: "/a-{w}.jpg", width: .px(180), priority: .first).attributes
///     // srcset="/a-240.jpg 1x,/a-480.jpg 2x,/a-640.jpg 3x" src="/a-240.jpg"
///     // loading="eager" fetchpriority="high"
struct Picture {
  /// How soon a picture loads.
  enum LoadingPriority {
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
  let priority: LoadingPriority

  var attributes: String {
    var sources = HTML.attribute("src", address(atDensity: 1))
    if address.contains("{w}") {
      // The browser chooses a URL by the pixel density of its screen.
      let set = (1...3).map { "\(address(atDensity: $0)) \($0)x" }.joined(separator: ",")
      sources = HTML.attribute("srcset", set) + sources
    }
    return sources
      + HTML.attribute("loading", priority == .later ? "lazy" : "eager")
      + HTML.attribute("fetchpriority", priority == .first ? "high" : "auto")
  }

  private func address(atDensity density: Int) -> String {
    let px = Int((width.px * Double(density)).rounded(.up))
    let wide = PictureWidth.least(px)
    return address.replacing("{w}", with: String(wide))
  }
}
