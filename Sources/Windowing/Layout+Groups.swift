/// A run of items of one group, and where it starts: what a sticky heading shows.
public struct PlacedGroup: Hashable, Sendable {
  public let title: String

  /// The index of its first item, in the turn that was asked about.
  public let first: Int

  /// One past the index of its last.
  public let end: Int

  /// Where its first item starts.
  public let start: Length

  public init(title: String, first: Int, end: Int, start: Length) {
    self.title = title
    self.first = first
    self.end = end
    self.start = start
  }
}

extension Layout {
  /// The group of the item at `index`, or nil when it has none.
  ///
  /// Runs do not join across the seam of a wrap; in a later turn the numbers are that turn's.
  ///
  /// - Precondition: `index` is one of ``indices``.
  /// - Complexity: O(log *n*).
  public func group(at index: Int) -> PlacedGroup? {
    let (turn, local) = turn(of: index)
    return strip.groupRun(at: local).map { placed($0, inTurn: turn) }
  }

  /// The runs that have a group, in order, from the one that holds or follows `index`; once,
  /// also when the layout wraps.
  ///
  /// - Complexity: O(log *n*) for each run taken.
  public func groups(from index: Int = 0) -> some Sequence<PlacedGroup> {
    strip.groupRuns(from: index).lazy.map { placed($0, inTurn: 0) }
  }

  private func placed(_ run: GroupRun, inTurn turn: Int) -> PlacedGroup {
    let base = turn * (wraps ? count : 0)
    let (first, end) = (base + run.range.lowerBound, base + run.range.upperBound)
    return PlacedGroup(title: run.title, first: first, end: end, start: start(of: first))
  }
}
