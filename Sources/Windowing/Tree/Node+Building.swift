extension Node {
  /// Builds the tree of items in order; nil for none.
  ///
  /// - Complexity: O(*n*), one pass.
  static func building(_ items: some Sequence<StripItem>) -> Node? {
    var builder = TreeBuilder()
    for item in items { builder.append(item) }
    return builder.finish()
  }

  static func building(_ pieces: [Leaf]) -> Node? {
    var levels = Levels()
    for piece in pieces.dropLast() { levels.append(.branch(.holding(piece)), at: 0) }
    guard let last = pieces.last, !last.isEmpty else { return levels.finish() }
    return joining(
      levels.finish(), last.count > builtLeaf ? .branch(.holding(last)) : .leaf(last))
  }
}

private struct TreeBuilder {
  private var levels = Levels()
  private var leaf = Leaf()

  init() { leaf.reserveCapacity(Node.builtLeaf) }

  @inline(__always)
  mutating func append(_ item: StripItem) {
    leaf.append(PackedItem(item))
    if leaf.count == Node.builtLeaf { flushLeaf() }
  }

  private mutating func flushLeaf() {
    levels.append(.leaf(leaf), at: 0)
    leaf = Leaf()
    leaf.reserveCapacity(Node.builtLeaf)
  }

  func finish() -> Node? {
    Node.joining(levels.finish(), leaf.isEmpty ? nil : .leaf(leaf))
  }
}

/// The nodes of each height that have no parent yet.
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

  func finish() -> Node? {
    var root: Node?
    for nodes in waiting.reversed() where !nodes.isEmpty {
      root = Node.joining(root, nodes.count > 1 ? .branch(.joining(nodes)) : nodes[0])
    }
    return root
  }
}

extension Node {
  /// Joins two trees: the items of `a`, then the items of `b`.
  ///
  /// - Complexity: O(1 + difference of the heights) new nodes.
  static func joining(_ a: Node, _ b: Node) -> Node {
    let (first, second) = merge(a, b)
    guard let second else { return first }
    return .branch(.joining([first, second]))
  }

  static func joining(_ a: Node?, _ b: Node?) -> Node? {
    guard let a else { return b }
    guard let b else { return a }
    return joining(a, b)
  }

  private static func merge(_ a: Node, _ b: Node) -> (Node, Node?) {
    switch (a, b) {
    case (.leaf(let left), .leaf(let right)):
      return merge(left, right)
    case (.repetition(let left), .repetition(let right))
    where left.pattern.isIdentical(to: right.pattern):
      return (.repetition(Repetition(left.pattern, times: left.times + right.times)), nil)
    case (.branch(let left), .branch(let right)) where left.height == right.height:
      var children = BranchBuilder(height: left.height)
      children.append(left, 0..<left.count)
      children.append(right, 0..<right.count)
      let fits = children.count <= branchCapacity
      let full =
        left.count >= branchCapacity / 2 && right.count >= branchCapacity / 2
      return !fits && full ? (a, b) : children.nodes()
    case (.branch(let left), _) where left.height > b.height:
      let last = left.count - 1
      let (first, second) = merge(left[last], b)
      var children = BranchBuilder(height: left.height)
      children.append(left, 0..<last)
      children.append(first)
      if let second { children.append(second) }
      return children.nodes()
    case (_, .branch(let right)) where right.height > a.height:
      let (first, second) = merge(a, right[0])
      var children = BranchBuilder(height: right.height)
      children.append(first)
      if let second { children.append(second) }
      children.append(right, 1..<right.count)
      return children.nodes()
    default:
      return (a, b)
    }
  }

  /// Merges two adjacent leaves if they fit into one, or if one of them is too short.
  private static func merge(_ left: Leaf, _ right: Leaf) -> (Node, Node?) {
    let least = leafCapacity / 2
    if left.count + right.count > leafCapacity, left.count >= least, right.count >= least {
      return (.leaf(left), .leaf(right))
    }
    return leaves(left[...], [], right[...])
  }

  /// One or two leaves with the items of three runs.
  ///
  /// - Precondition: There are at most 2 x ``leafCapacity`` items.
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

/// Collects the children of a new branch. Reuses the sums of children that have a parent already.
struct BranchBuilder {
  private enum Child {
    case old(Branch, Int)
    case new(Node)
  }

  let height: Int
  private var children: ContiguousArray<Child> = []
  private var kinds = 0

  init(height: Int) {
    self.height = height
    children.reserveCapacity(Node.branchCapacity + 2)
  }

  var count: Int { children.count }

  mutating func append(_ branch: Branch, _ range: Range<Int>) {
    if !range.isEmpty { kinds = max(kinds, branch.kinds) }
    for child in range { children.append(.old(branch, child)) }
  }

  mutating func append(_ node: Node) {
    kinds = max(kinds, node.kindCount)
    children.append(.new(node))
  }

  /// One branch if all children fit, else two of about equal length.
  func nodes() -> (Node, Node?) {
    guard count > Node.branchCapacity else { return (branch(0..<count), nil) }
    return (branch(0..<count / 2), branch(count / 2..<count))
  }

  /// A branch of the children. A single child needs no branch; no child gives nil.
  func node() -> Node? {
    guard count > 1 else {
      switch children.first {
      case .old(let branch, let child): return branch[child]
      case .new(let node): return node
      case nil: return nil
      }
    }
    return branch(0..<count)
  }

  private func branch(_ range: Range<Int>) -> Node {
    var nodes = ContiguousArray<Node>()
    nodes.reserveCapacity(range.count)
    var sums = RunningSums(kinds: kinds, capacity: range.count)
    for child in children[range] {
      switch child {
      case .old(let branch, let index):
        nodes.append(branch[index])
        sums.append(index..<index + 1, of: branch)
      case .new(let node):
        nodes.append(node)
        sums.append(node)
      }
    }
    return .branch(.making(nodes, height: height, sums: sums))
  }
}
