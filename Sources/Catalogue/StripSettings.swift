package import Windowing

/// How a strip is drawn unless a reader asks otherwise.
package struct StripSettings: Hashable, Sendable {
  /// What a person reads; at first the strip's name.
  package var title: String
  /// 16 to 16384 px.
  package var height = Length.px(180)
  /// Between two items, 0 to 65536 px.
  package var gap = Length.zero
  /// Before the first item and behind the last, 0 to 65536 px.
  package var inset = Length.zero
  /// Whether the strip begins again behind its end.
  package var loop = false
  /// Where a viewport comes to rest.
  package var snap = Snap.none
  /// The width of an item with neither aspect nor width, 0 to 100,000 px.
  package var itemWidth = Length.px(160)

  package enum Snap: String, Sendable, CaseIterable {
    case none, start, center, end
  }

  package static let heights = Length.px(16)...Length.px(16384)
  package static let gaps = Length.zero...Length.px(65536)
  package static let insets = Length.zero...Length.px(65536)
  package static let itemWidths = Length.zero...Length.px(100_000)

  package init(title: String) { self.title = title }

  /// - Throws: `.invalid`, with a sentence that begins with the setting at fault.
  package func check() throws(CatalogueError) {
    try check(height, "height", Self.heights)
    try check(gap, "gap", Self.gaps)
    try check(inset, "inset", Self.insets)
    try check(itemWidth, "itemWidth", Self.itemWidths)
    guard title.utf8.count <= 1024, !title.utf8.contains(0) else {
      throw .invalid("title: it is over 1024 bytes or holds a NUL character")
    }
  }

  package var isValid: Bool { (try? check()) != nil }

  private func check(
    _ length: Length, _ name: String, _ range: ClosedRange<Length>
  ) throws(CatalogueError) {
    guard range ~= length else {
      throw .invalid(
        "\(name): \(length) is not within \(range.lowerBound) and \(range.upperBound)")
    }
  }
}
