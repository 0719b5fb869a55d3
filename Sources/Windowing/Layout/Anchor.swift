/// An item and where it stands in a viewport: what must not move while a strip is edited.
public struct Anchor: Hashable, Sendable {
  /// The item's index; wrapping, that of its turn.
  public var index: Int

  /// Where the item starts, from the start of the viewport.
  public var px: Length

  public init(index: Int, px: Length) {
    self.index = index
    self.px = px
  }
}

extension Layout {
  /// The anchor of a viewport at `offset`: the first item wholly in view, or else the first that
  /// meets it; nil where it shows none.
  ///
  /// - Throws: ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n*).
  public func anchor(at offset: Length, in width: Length) throws(WindowingError) -> Anchor? {
    let range = try items(meeting: offset..<offset + width)
    guard let first = range.first else { return nil }
    var index = first
    if start(of: first) < offset, let next = try firstSized(from: first + 1), range.contains(next),
      end(of: next) <= offset + width
    {
      index = next
    }
    return Anchor(index: index, px: start(of: index) - offset)
  }

  /// The offset at which this layout, made by `edits` from `old`, shows the anchor's item where
  /// `old` showed it. If the item is gone, its nearest surviving neighbour (the earlier of two)
  /// stays where it was; if none survives, the offset is kept as far as there is a strip.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` where `old` has no such item,
  ///   ``WindowingError/outOfRange``.
  /// - Complexity: O(log *n* + edits x neighbours gone).
  public func offset(
    keeping anchor: Anchor, after edits: [StripEdit], of old: Layout, in width: Length
  ) throws(WindowingError) -> Length {
    let start = try old.place(asked: anchor.index).start
    let offset = Length(start) - anchor.px
    let (turn, local) = old.turn(of: anchor.index)
    guard let (neighbour, place) = old.survivor(of: local, edits) else {
      return bounded(offset, in: width)
    }
    let px =
      Length(old.start(ofTurn: turn) - old.start(ofTurn: 0)) + old.start(of: neighbour) - offset
    let index = try copy(of: place, nearest: offset + px)
    return try self.offset(putting: index, at: px, in: width)
  }

  /// The item nearest to one, itself first, that edits leave in the strip, and where it is then.
  private func survivor(of index: Int, _ edits: [StripEdit]) -> (item: Int, place: Int)? {
    func place(_ index: Int) -> Int? {
      var place = index
      for edit in edits {
        guard let next = edit.place(of: place) else { return nil }
        place = next
      }
      return place
    }
    for distance in 0..<max(1, count) {
      for item in [index - distance, index + distance] where item >= 0 && item < count {
        if let place = place(item) { return (item, place) }
      }
    }
    return nil
  }
}
