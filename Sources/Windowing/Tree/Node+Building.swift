extension Node {
  /// The tree of items in order; nil for none.
  ///
  /// - Complexity: O(*n*), one pass.
  static func building(_ items: some Sequence<StripItem>) -> Node? {
    var growing = GrowingTree()
    for item in items { growing.append(item) }
    return growing.finish()
  }

  /// The same of items that lie in pieces as `Strip.init(kinds:pieces:)` takes them.
  static func building(_ pieces: [Leaf]) -> Node? {
    var levels = Levels()
    for piece in pieces.dropLast() { levels.append(.branch(.holding(piece)), at: 0) }
    guard let last = pieces.last, !last.isEmpty else { return levels.finish() }
    return joining(
      levels.finish(), last.count > builtLeaf ? .branch(.holding(last)) : .leaf(last))
  }
}

/// A tree that is built from its leaves up.
private struct GrowingTree {
  private var levels = Levels()
  private var leaf = Leaf()

  init() { leaf.reserveCapacity(Node.builtLeaf) }

  @inline(__always)
  mutating func append(_ item: StripItem) {
    leaf.append(PackedItem(item))
    if leaf.count == Node.builtLeaf { turn() }
  }

  private mutating func turn() {
    levels.append(.leaf(leaf), at: 0)
    leaf = Leaf()
    leaf.reserveCapacity(Node.builtLeaf)
  }

  func finish() -> Node? {
    Node.joining(levels.finish(), leaf.isEmpty ? nil : .leaf(leaf))
  }
}

/// Nodes of each height that wait for a parent, while a tree is built from its leaves up.
private struct Levels {
  var waiting: [ContiguousArray<Node>] = []

  mutating func append(_ node: Node, at level: Int) {
    if level == waiting.count { waiting.append([]) }
    waiting[level].append(node)
    guard waiting[level].count == Node.builtBranch else { return }
    let parent = Branch.joining(waiting[level])
    waiting[level].removeAll(keepingCapacity: true)
    append(.branch(parent), at: level + 1)
  }

  /// Joins what is left, the higher before the lower, and of each height all at once.
  func finish() -> Node? {
    var root: Node?
    for nodes in waiting.reversed() where !nodes.isEmpty {
      root = Node.joining(root, nodes.count > 1 ? .branch(.joining(nodes)) : nodes[0])
    }
    return root
  }
}

extension Node {
  /// One tree of the items of `a`, then those of `b`.
  ///
  /// - Complexity: O(1 + the difference of the heights) new nodes.
  static func joining(_ a: Node, _ b: Node) -> Node {
    let (first, second) = meld(a, b)
    guard let second else { return first }
    return .branch(.joining([first, second]))
  }

  static func joining(_ a: Node?, _ b: Node?) -> Node? {
    guard let a else { return b }
    guard let b else { return a }
    return joining(a, b)
  }

  /// One or two nodes, as high as the higher of the two, with the items of both.
  private static func meld(_ a: Node, _ b: Node) -> (Node, Node?) {
    switch (a, b) {
    case (.leaf(let left), .leaf(let right)):
      return meld(left, right)
    case (.repetition(let left), .repetition(let right))
    where left.pattern.isIdentical(to: right.pattern):
      return (.repetition(Repetition(left.pattern, times: left.times + right.times)), nil)
    case (.branch(let left), .branch(let right)) where left.height == right.height:
      var pieces = BranchPieces(height: left.height)
      pieces.append(left, 0..<left.count)
      pieces.append(right, 0..<right.count)
      let fits = pieces.count <= branchCapacity
      let full =
        left.count >= branchCapacity / 2 && right.count >= branchCapacity / 2
      return !fits && full ? (a, b) : pieces.nodes()
    case (.branch(let left), _) where left.height > b.height:
      let last = left.count - 1
      let (first, second) = meld(left[last], b)
      var pieces = BranchPieces(height: left.height)
      pieces.append(left, 0..<last)
      pieces.append(first)
      if let second { pieces.append(second) }
      return pieces.nodes()
    case (_, .branch(let right)) where right.height > a.height:
      let (first, second) = meld(a, right[0])
      var pieces = BranchPieces(height: right.height)
      pieces.append(first)
      if let second { pieces.append(second) }
      pieces.append(right, 1..<right.count)
      return pieces.nodes()
    default:
      return (a, b)
    }
  }

  /// Two neighbouring leaves as one where they fit, evenly filled where one is short.
  private static func meld(_ left: Leaf, _ right: Leaf) -> (Node, Node?) {
    let least = leafCapacity / 2
    if left.count + right.count > leafCapacity, left.count >= least, right.count >= least {
      return (.leaf(left), .leaf(right))
    }
    return leaves(left[...], [], right[...])
  }

  /// One or two leaves with the items of three runs, at most twice a leaf's capacity.
  static func leaves(
    _ a: Leaf.SubSequence, _ b: ArraySlice<PackedItem>, _ c: Leaf.SubSequence
  ) -> (Node, Node?) {
    let count = a.count + b.count + c.count
    var all = Leaf()
    all.reserveCapacity(count)
    all.append(contentsOf: a)
    all.append(contentsOf: b)
    all.append(contentsOf: c)
    guard count > leafCapacity else { return (.leaf(all), nil) }
    return (.leaf(Leaf(all[..<(count / 2)])), .leaf(Leaf(all[(count / 2)...])))
  }
}

/// The children of a branch to be made, taken from others whose sums are known, or new.
struct BranchPieces {
  private enum Piece {
    case child(Branch, Int)
    case node(Node)
  }

  let height: Int
  private var pieces: ContiguousArray<Piece> = []
  private var kinds = 0

  init(height: Int) {
    self.height = height
    pieces.reserveCapacity(Node.branchCapacity + 2)
  }

  var count: Int { pieces.count }

  mutating func append(_ branch: Branch, _ range: Range<Int>) {
    if !range.isEmpty { kinds = max(kinds, branch.kinds) }
    for child in range { pieces.append(.child(branch, child)) }
  }

  mutating func append(_ node: Node) {
    kinds = max(kinds, node.kindCount)
    pieces.append(.node(node))
  }

  /// One branch where the pieces fit, else two of about equal length.
  func nodes() -> (Node, Node?) {
    guard count > Node.branchCapacity else { return (branch(0..<count), nil) }
    return (branch(0..<count / 2), branch(count / 2..<count))
  }

  /// The one node there is, or a branch of several; nil for none.
  func node() -> Node? {
    guard count > 1 else {
      switch pieces.first {
      case .child(let branch, let child): return branch[child]
      case .node(let node): return node
      case nil: return nil
      }
    }
    return branch(0..<count)
  }

  private func branch(_ range: Range<Int>) -> Node {
    var children = ContiguousArray<Node>()
    children.reserveCapacity(range.count)
    var sums = RunningSums(kinds: kinds, capacity: range.count)
    for piece in pieces[range] {
      switch piece {
      case .child(let branch, let child):
        children.append(branch[child])
        sums.append(child..<child + 1, of: branch)
      case .node(let node):
        children.append(node)
        sums.append(node)
      }
    }
    return .branch(.making(children, height: height, sums: sums))
  }
}
