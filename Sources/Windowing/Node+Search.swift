/// Where a search by position ended: a leaf, a place in it, and all that comes before.
struct Place {
  /// The leaf that holds the item found.
  let leaf: Leaf
  /// The item's place in the leaf.
  let offset: Int
  /// The totals before the item.
  let before: Totals
}

extension Node {
  /// The first item that ends, gap included, after `target`: the least i for which the position
  /// after item i is more than `target`.
  ///
  /// Positions never decrease along a strip, so this is one walk down the tree.
  ///
  /// - Returns: nil when the whole tree ends at or before `target`.
  /// - Complexity: O(log *n*).
  func firstItem(endingAfter target: Int, at scale: Scale) -> Place? {
    var node = self
    var before = Totals.zero
    while true {
      switch node {
      case .leaf(let items):
        var offset = 0
        while offset < items.count {
          var after = before
          after.add(items[offset])
          if scale.position(after) > target {
            return Place(leaf: items, offset: offset, before: before)
          }
          before = after
          offset &+= 1
        }
        return nil
      case .branch(let branch):
        let sums = branch.sums
        var low = 0
        var high = branch.children.count
        while low < high {
          let middle = (low &+ high) / 2
          if scale.position(before + sums.totals(before: middle &+ 1)) > target {
            high = middle
          } else {
            low = middle &+ 1
          }
        }
        guard low < branch.children.count else { return nil }
        before = before + sums.totals(before: low)
        node = branch.children[low]
      case .repetition(let repetition):
        var low = 0
        var high = repetition.times
        while low < high {
          let middle = (low &+ high) / 2
          if scale.position(before + repetition.turn * (middle &+ 1)) > target {
            high = middle
          } else {
            low = middle &+ 1
          }
        }
        guard low < repetition.times else { return nil }
        before = before + repetition.turn * low
        node = repetition.pattern
      }
    }
  }
}
