/// A part of a strip's tree, shared by every snapshot that holds it and never changed.
///
///                      Branch ── sums: before each child, and all ──┐
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
/// All leaves lie equally deep. An edit makes new nodes from the root down to the leaf it
/// touches and shares the rest, so whoever holds an older root reads on undisturbed: nothing is
/// locked, counted or waited for.
enum Node: Sendable {
  /// Up to ``Node/leafCapacity`` items.
  case leaf(Leaf)

  /// Two to ``Node/branchCapacity`` nodes of equal height.
  case branch(Branch)

  /// A tree, many times over; it stands where a leaf stands.
  case repetition(Repetition)
}

extension Node {
  /// The most items in one leaf. Measured: twice as many make a window at ten million items no
  /// faster, and an edit copy more.
  static let leafCapacity = 128

  /// The most children of one branch. Measured: with 16 an edit costs a tenth less, and a window a
  /// tenth more.
  static let branchCapacity = 32

  /// How full a tree is built, so that the first edits find room: three quarters.
  static let builtLeaf = 96
  static let builtBranch = 24

  /// How many levels of branches lie above the leaves.
  var height: Int {
    switch self {
    case .leaf, .repetition: 0
    case .branch(let branch): branch.height
    }
  }

  /// The sums over all items. O(1), for a leaf O(items).
  var totals: Totals {
    switch self {
    case .leaf(let items): items.totals
    case .branch(let branch): branch.totals(before: branch.count)
    case .repetition(let repetition): repetition.totals
    }
  }

  /// One more than the highest kind of a visible item: how many kinds need a count here.
  var kindCount: Int {
    switch self {
    case .leaf(let items): items.kindCount
    case .branch(let branch): branch.kinds
    case .repetition(let repetition): repetition.pattern.kindCount
    }
  }

  /// How many items of `kind` are visible. O(1), for a leaf O(items).
  func count(ofKind kind: Int) -> Int {
    switch self {
    case .leaf(let items): items.count(ofKind: kind)
    case .branch(let branch): branch.count(ofKind: kind, before: branch.count)
    case .repetition(let repetition): repetition.pattern.count(ofKind: kind) &* repetition.times
    }
  }

  /// Whether both are one and the same object, which then holds the same items.
  func isIdentical(to other: Node) -> Bool {
    switch (self, other) {
    case (.branch(let a), .branch(let b)): a.identity == b.identity
    case (.repetition(let a), .repetition(let b)): a === b
    default: false
    }
  }
}

/// A tree that stands for itself many times over.
final class Repetition: Sendable {
  let pattern: Node
  let times: Int
  /// The totals of one pattern.
  let turn: Totals

  var totals: Totals { turn * times }

  init(_ pattern: Node, times: Int) {
    self.pattern = pattern
    self.times = times
    turn = pattern.totals
  }
}
