/// Tells a list which cells to configure and which to release while its viewport moves.
///
///     var follower = ViewportFollower(layout, pools: layout.pools(stretch: .px(800)))
///     let change = try follower.move(to: .px(0)..<Length.px(800))
///     for item in change.willDisplay { cells[item.slot].show(item) }
///
/// A list needs one cell for each slot. The follower only stores the current window, so that a jump
/// of any length costs as much as a small step.
///
/// - Complexity: O(log *n* + items in both windows) for a movement.
public struct ViewportFollower: Sendable {
  /// The difference between two windows.
  public struct Change: Hashable, Sendable {
    /// The items that are no longer in view, in order, with the slots they leave.
    public let didEndDisplaying: [WindowItem]

    /// The items that are now in view, in order, with the slots they take.
    public let willDisplay: [WindowItem]
  }

  public private(set) var layout: Layout
  public private(set) var pools: Pools

  /// The current window; nil before the first movement.
  public private(set) var window: Window?

  /// Starts without a window.
  ///
  /// - Precondition: The stretch of `pools` is at least as long as the longest span.
  public init(_ layout: Layout, pools: Pools) {
    self.layout = layout
    self.pools = pools
  }

  /// Moves the viewport to `span`.
  ///
  /// - Throws: ``WindowingError/outOfRange``; the window is then unchanged.
  /// - Complexity: O(log *n* + items in both windows).
  public mutating func move(to span: Range<Length>) throws(WindowingError) -> Change {
    let next = try layout.window(meeting: span, pools: pools)
    defer { window = next }
    let (old, new) = (window?.range ?? 0..<0, next.range)
    return Change(
      didEndDisplaying: window?.items.filter { !new.contains($0.index) } ?? [],
      willDisplay: next.items.filter { !old.contains($0.index) })
  }

  /// Changes the layout, after an edit or a resize. All items end displaying, because indices and
  /// slots can have a new meaning. The next movement displays the new items.
  ///
  /// - Complexity: O(items in the window).
  public mutating func follow(_ layout: Layout, pools: Pools) -> Change {
    defer {
      self.layout = layout
      self.pools = pools
      window = nil
    }
    return Change(didEndDisplaying: window?.items ?? [], willDisplay: [])
  }
}
