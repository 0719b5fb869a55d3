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
