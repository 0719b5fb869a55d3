extension Layout {
  /// Where the item at `index` starts. O(log *n*).
  ///
  /// - Precondition: `index` is one of ``indices``.
  public func start(of index: Int) -> Length { Length(placed(index).start) }

  /// How long the item at `index` is drawn: 0 where it is hidden, or too small for 1/64 px.
  ///
  /// - Precondition: `index` is one of ``indices``.
  /// - Complexity: O(log *n*).
  public func size(of index: Int) -> Length {
    let (start, end) = placed(index)
    return Length(end - start)
  }

  /// Where the item at `index` ends: its start plus its size. O(log *n*).
  ///
  /// - Precondition: `index` is one of ``indices``.
  public func end(of index: Int) -> Length { Length(placed(index).end) }

  /// Where an item starts and ends, in 1/64 px.
  func placed(_ index: Int) -> (start: Int, end: Int) {
    let (turn, local) = turn(of: index)
    guard let root = strip.root, local >= 0, local < count,
      !wraps || (turn >= -reach && turn < reach)
    else { preconditionFailure("A layout is asked for items that it has.") }
    let before = root.totals(before: local)
    var after = before
    after.add(root.item(at: local))
    let origin = start(ofTurn: turn)
    return (
      origin + scale.position(before), origin + scale.position(after) - gap.position
    )
  }

  /// Where an item that a caller asks for starts and ends.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` outside a strip that does not wrap,
  ///   ``WindowingError/outOfRange`` where the item or the whole strip lies beyond 2^47 px.
  func place(asked index: Int) throws(WindowingError) -> (start: Int, end: Int) {
    guard indices.contains(index) else { throw wraps ? .outOfRange : .noItem(at: index) }
    let (start, end) = placed(index)
    let farthest = Length.farthest.position
    guard fits, start >= -farthest, end <= farthest else { throw .outOfRange }
    return (start, end)
  }
}
