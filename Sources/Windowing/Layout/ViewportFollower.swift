/// Follows a viewport along a strip and says what comes into view and what leaves it.
///
///     var follower = ViewportFollower(layout, pools: layout.pools(stretch: .px(800)))
///     let step = try follower.move(to: .px(0)..<Length.px(800))
///     for item in step.willDisplay { cards[item.slot].show(item) }
///
/// It holds one window and nothing else. Since slots follow from a law, a jump of any length is
/// answered as a step is: a fling that outruns its events still ends on a full screen.
public struct ViewportFollower: Sendable {
  /// What one movement changes.
  public struct Change: Hashable, Sendable {
    /// The items that were shown and are no longer, in order, in the slots they leave.
    public let didEndDisplaying: [WindowItem]

    /// The items that are shown now and were not, in order, in the slots they take.
    public let willDisplay: [WindowItem]
  }

  public private(set) var layout: Layout
  public private(set) var pools: Pools

  /// The window shown now; nil before the first movement.
  public private(set) var window: Window?

  /// Follows nothing yet.
  ///
  /// - Precondition: The pools are of a stretch at least as long as any that will be shown.
  public init(_ layout: Layout, pools: Pools) {
    self.layout = layout
    self.pools = pools
  }

  /// Moves the viewport, by whatever way, to `span`.
  ///
  /// - Throws: ``WindowingError/outOfRange``; the follower is then as it was.
  /// - Complexity: O(log *n* + items shown before and after).
  public mutating func move(to span: Range<Length>) throws(WindowingError) -> Change {
    let next = try layout.window(meeting: span, pools: pools)
    defer { window = next }
    let (old, new) = (window?.range ?? 0..<0, next.range)
    return Change(
      didEndDisplaying: window?.items.filter { !new.contains($0.index) } ?? [],
      willDisplay: next.items.filter { !old.contains($0.index) })
  }

  /// Goes on with another layout: after an edit, a resize, another height. Everything shown ends,
  /// since indices and slots may now name others; the next movement displays anew.
  ///
  /// - Complexity: O(items shown).
  public mutating func follow(_ layout: Layout, pools: Pools) -> Change {
    defer {
      self.layout = layout
      self.pools = pools
      window = nil
    }
    return Change(didEndDisplaying: window?.items ?? [], willDisplay: [])
  }
}
