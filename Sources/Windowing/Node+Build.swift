extension Node {
  /// The tree of items in order; nil for none.
  ///
  /// - Complexity: O(*n*), one pass.
  static func building(_ items: some Sequence<StripItem>) -> Node? {
    var growing = GrowingTree()
    for item in items { growing.append(item) }
    return growing.finish()
  }

  /// The same of items that come many at a time.
  static func building(chunks: some Sequence<[StripItem]>) -> Node? {
    var growing = GrowingTree()
    for chunk in chunks { growing.append(chunk) }
    return growing.finish()
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

  mutating func append(_ items: [StripItem]) {
    var rest = items[...]
    while !rest.isEmpty {
      let fitting = rest.prefix(Node.builtLeaf - leaf.count)
      leaf.append(contentsOf: fitting.lazy.map { PackedItem($0) })
      rest = rest.dropFirst(fitting.count)
      if leaf.count == Node.builtLeaf { turn() }
    }
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

  /// Joins what is left, the higher before the lower.
  func finish() -> Node? {
    var root: Node?
    for nodes in waiting.reversed() {
      for node in nodes { root = Node.joining(root, node) }
    }
    return root
  }
}
