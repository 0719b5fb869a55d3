package import Windowing

/// What `GET /window` was asked, every value checked for its form and its range.
///
/// What depends on the strip (its height, whether it loops, how long it is) is settled later, by
/// ``WindowAnswer``.
package struct WindowQuery: Sendable {
  /// The strip's name; nil for the first strip.
  package var strip: String?
  /// The revision to answer at; nil for the newest.
  package var revision: Int64?
  /// The viewport's left edge.
  package var offset = Length.zero
  /// The viewport's length.
  package var width = Length(px: 1024)
  /// The height that the strip is drawn at; nil for the strip's own.
  package var height: Length?
  /// What is added to the viewport on both sides.
  package var overscan = Length.zero
  /// The stretch that slots are counted for; nil for the viewport with its overscan.
  package var pool: Length?
  /// The stretch that slots are counted for, not yet taken up to the ladder.
  var stretch: Length { pool ?? width + overscan + overscan }
  /// Whether the strip runs on past its ends; nil for the strip's own setting.
  package var wrap: Bool?
  /// The item to stand at, instead of `offset`.
  package var target: Target?
  /// The items that the caller holds already.
  package var have: Range<Int>?
  /// How the window is written.
  package var format = Format.json

  /// An item to stand at, and where in the viewport.
  package struct Target: Sendable {
    package enum Item: Sendable {
      case index(Int)
      case id(String)
    }

    package enum Place: Sendable {
      case aligned(Alignment)
      case at(Length)
    }

    package var item: Item
    package var place: Place
  }

  package enum Format: Sendable {
    case json, html
  }

  package init() {}
}
