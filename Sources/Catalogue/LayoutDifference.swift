/// What becomes of a layout, position by position: what stood there before all changes, and what
/// stands there now.
///
///     var difference = LayoutDifference()
///     difference.note(4096, from: former, to: nil)     // an item goes
///     difference.step                                  // what a revision keeps of it
///
/// - Complexity: O(1) a note.
package struct LayoutDifference {
  /// By the position that was touched.
  package private(set) var changes: [Int64: LayoutChange] = [:]
  /// By how much the sums over the items have changed.
  package private(set) var totals = StripTotals()

  package init() {}

  /// Notes what a position now holds in the place of what it held.
  package mutating func note(
    _ position: Int64, from before: LayoutChange.State?, to after: LayoutChange.State?
  ) {
    if let before { totals.subtract(before.item) }
    if let after { totals.add(after.item) }
    if changes[position] == nil {
      changes[position] = LayoutChange(position: position, before: before, after: after)
    } else {
      changes[position]?.after = after
    }
  }

  /// All of it, as one revision keeps it.
  package var step: LayoutStep { LayoutStep(LayoutChanges(Array(changes.values))) }
}
