/// An item and its position in the viewport. Scroll anchoring keeps both during edits.
///
///     let anchor = try layout.anchor(at: offset, in: width)
///     strip.apply(edit)
///     let edited = Layout(strip, height: layout.height, gap: layout.gap)
///     offset = try edited.offset(keeping: anchor, after: [edit], of: layout, in: width)
public struct Anchor: Hashable, Sendable {
  /// The index of the item; in its turn if the layout wraps.
  public var index: Int

  /// The start of the item relative to the start of the viewport.
  public var px: Length

  public init(index: Int, px: Length) {
    self.index = index
    self.px = px
  }
}

extension Layout {
  /// The anchor of a viewport at `offset`: the first item entirely in view, or else the first item
  /// partly in view. Nil if no item is in view.
  ///
  /// - Throws: ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func anchor(at offset: Length, in width: Length) throws(WindowingError) -> Anchor? {
    let range = try items(meeting: offset..<offset + width)
    guard let first = range.first else { return nil }
    var index = first
    if start(of: first) < offset, let next = try firstItemWithSize(from: first + 1),
      range.contains(next), end(of: next) <= offset + width
    {
      index = next
    }
    return Anchor(index: index, px: start(of: index) - offset)
  }

  /// The offset that keeps the anchor's item at its position in the viewport. `edits` have made the
  /// strip of this layout from the strip of `old`.
  ///
  /// If the edits removed the item, its nearest remaining neighbor keeps its position; the earlier
  /// of two. The result is clamped to the strip unless the layout wraps.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` if `old` does not have the item,
  ///   ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n* + edits x removed neighbors).
  public func offset(
    keeping anchor: Anchor, after edits: [StripEdit], of old: Layout, in width: Length
  ) throws(WindowingError) -> Length {
    let start = try old.checkedBounds(of: anchor.index).start
    let offset = Length(start) - anchor.px
    let (turn, local) = old.turn(of: anchor.index)
    guard let (neighbor, newIndex) = old.nearestRemainingItem(to: local, after: edits) else {
      return clampedOffset(offset, in: width)
    }
    let px =
      Length(old.start(ofTurn: turn) - old.start(ofTurn: 0)) + old.start(of: neighbor) - offset
    let index = try copy(of: newIndex, nearest: offset + px)
    return try self.offset(putting: index, at: px, in: width)
  }

  /// The nearest item to `index` that the edits do not remove, itself first, and its new index.
  private func nearestRemainingItem(
    to index: Int, after edits: [StripEdit]
  ) -> (item: Int, newIndex: Int)? {
    func newIndex(of index: Int) -> Int? {
      var index = index
      for edit in edits {
        guard let next = edit.newIndex(of: index) else { return nil }
        index = next
      }
      return index
    }
    for distance in 0..<max(1, count) {
      for item in [index - distance, index + distance] where item >= 0 && item < count {
        if let newIndex = newIndex(of: item) { return (item, newIndex) }
      }
    }
    return nil
  }
}
