/// A node of a strip's tree. Nodes are immutable, and snapshots share them.
///
///                      Branch ── sums before each child, and of all ─┐
///                    ┌───┴──────────────┬────────────┐             [0, c0, c0+c1, ...] x
///                 Branch             Branch        Branch          (count, aspects, widths,
///            ┌──────┼──────┐       ┌────┴───┐        ⋮              visible items of kind 0, 1 ...)
///          leaf   leaf   leaf    leaf   Repetition
///       [items] [items] [items] [items]  │ x 1,000,000
///                                        ▼
///                                     Branch            the pattern: a tree of any height
///                                    ┌───┴───┐
///                                  leaf    leaf
///
/// All leaves have the same depth. An edit copies the path from the root to one leaf and shares all
/// other nodes. A reader of an older root therefore needs no lock.
package enum Node: Sendable {
  /// 1 to ``Node/leafCapacity`` items.
  case leaf(Leaf)

  /// 2 to ``Node/branchCapacity`` nodes of equal height.
  case branch(Branch)

  /// A tree repeated many times. It stands at the depth of the leaves.
  case repetition(Repetition)
}

package final class Repetition: Sendable {
  package let pattern: Node
  package let times: Int
  package let patternTotals: Totals

  var totals: Totals { patternTotals * times }

  init(_ pattern: Node, times: Int) {
    self.pattern = pattern
    self.times = times
    patternTotals = pattern.totals
  }
}

extension Node {
  /// Measured: with twice as many items, windows are no faster, and edits copy more.
  package static let leafCapacity = 128

  /// Measured: with 16 children, edits are a tenth faster and windows a tenth slower.
  package static let branchCapacity = 32

  /// Three quarters of the capacity, so that the first edits split no nodes.
  static let initialLeafCount = 96
  static let initialBranchCount = 24

  /// The number of levels of branches.
  package var height: Int {
    switch self {
    case .leaf, .repetition: 0
    case .branch(let branch): branch.height
    }
  }

  /// The sums over all items. O(1); O(items) for a leaf.
  package var totals: Totals {
    switch self {
    case .leaf(let items): items.totals
    case .branch(let branch): branch.totals(before: branch.count)
    case .repetition(let repetition): repetition.totals
    }
  }

  /// The highest kind of a visible item, plus one. O(1); O(items) for a leaf.
  var kindCount: Int {
    switch self {
    case .leaf(let items): items.kindCount
    case .branch(let branch): branch.kinds
    case .repetition(let repetition): repetition.pattern.kindCount
    }
  }

  /// The number of visible items of a kind. O(1); O(items) for a leaf.
  func count(ofKind kind: Int) -> Int {
    switch self {
    case .leaf(let items): items.count(ofKind: kind)
    case .branch(let branch): branch.count(ofKind: kind, before: branch.count)
    case .repetition(let repetition): repetition.pattern.count(ofKind: kind) &* repetition.times
    }
  }

  /// Whether both are the same object and therefore have the same items. False for leaves.
  func isIdentical(to other: Node) -> Bool {
    switch (self, other) {
    case (.branch(let a), .branch(let b)): a.identity == b.identity
    case (.repetition(let a), .repetition(let b)): a === b
    default: false
    }
  }

  /// The tree repeated `times` times; nil for 0.
  func repeated(_ times: Int) -> Node? {
    switch times {
    case 0: nil
    case 1: self
    default: .repetition(Repetition(self, times: times))
    }
  }
}

package typealias Leaf = ContiguousArray<PackedItem>

extension Leaf {
  var totals: Totals { LeafSum(span).totals }

  var kindCount: Int {
    var highest: UInt64 = 0
    for item in self { highest = Swift.max(highest, item.isHidden ? 0 : item.bits) }
    return highest == 0 ? 0 : Int(highest >> 56) + 1
  }

  func count(ofKind kind: Int) -> Int {
    var count = 0
    for item in self where item.kind == kind { count &+= item.visible }
    return count
  }
}

/// The sums of a run of items. The loop has no branches, so that the compiler vectorizes it.
struct LeafSum {
  let totals: Totals
  let visible: Int
  /// The kind of all items; nil if they have several.
  let kind: Int?

  init(_ items: Span<PackedItem>) {
    var (aspects, widths, visible) = (UInt64(0), UInt64(0), UInt64(0))
    var (some, all) = (UInt64(0), UInt64.max)
    for index in 0..<items.count {
      let item = items[index]
      aspects &+= item.bits & 0xFFFF_FFFF
      widths &+= item.bits >> 32 & 0xFF_FFFF
      // The sum sets bit 56 unless the size is 0.
      visible &+= ((item.bits & PackedItem.size) &+ PackedItem.size) >> 56
      some |= item.bits
      all &= item.bits
    }
    totals = Totals(count: items.count, aspectUnits: Int(aspects), widthUnits: Int(widths))
    self.visible = Int(visible)
    kind = some >> 56 == all >> 56 ? Int(some >> 56) : nil
  }
}
