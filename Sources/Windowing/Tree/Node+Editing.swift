extension Node {
  /// Builds the tree of items in order; nil for none.
  static func building(_ items: some Sequence<PackedItem>) -> Node? {
    var builder = TreeBuilder()
    for item in items { builder.append(item) }
    return builder.finish()
  }

  static func building(_ segments: [Leaf]) -> Node? {
    var builder = TreeBuilder()
    for segment in segments.dropLast() { builder.append(.branch(.holding(segment)), at: 0) }
    return builder.finish(segments.last)
  }
}

private struct TreeBuilder {
  private var leaf = Leaf()
  /// The nodes of each height that have no parent yet.
  private var levels: [ContiguousArray<Node>] = []

  init() { leaf.reserveCapacity(Node.initialLeafCount) }

  @inline(__always)
  mutating func append(_ item: PackedItem) {
    leaf.append(item)
    if leaf.count == Node.initialLeafCount { flushLeaf() }
  }

  private mutating func flushLeaf() {
    append(.leaf(leaf), at: 0)
    leaf = Leaf()
    leaf.reserveCapacity(Node.initialLeafCount)
  }

  mutating func append(_ node: Node, at level: Int) {
    if level == levels.count { levels.append([]) }
    levels[level].append(node)
    guard levels[level].count == Node.initialBranchCount else { return }
    let parent = Branch.joining(levels[level])
    levels[level].removeAll(keepingCapacity: true)
    append(.branch(parent), at: level + 1)
  }

  /// The tree of all nodes, and of the items of the last leaf or segment.
  func finish(_ last: Leaf? = nil) -> Node? {
    var root: Node?
    for nodes in levels.reversed() where !nodes.isEmpty {
      root = Node.joining(root, nodes.count > 1 ? .branch(.joining(nodes)) : nodes[0])
    }
    let last = last ?? leaf
    guard !last.isEmpty else { return root }
    return Node.joining(
      root, last.count > Node.initialLeafCount ? .branch(.holding(last)) : .leaf(last))
  }
}

extension Node {
  /// O(1 + difference of the heights) new nodes.
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

  /// Merges adjacent leaves if they fit into one, or if one of them is too short.
  private static func merge(_ left: Leaf, _ right: Leaf) -> (Node, Node?) {
    let least = leafCapacity / 2
    if left.count + right.count > leafCapacity, left.count >= least, right.count >= least {
      return (.leaf(left), .leaf(right))
    }
    return leaves(left[...], [], right[...])
  }

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

struct BranchBuilder {
  let height: Int
  private var children: [Branch.Child] = []
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
    .branch(Branch(height: height, kinds: kinds, children[range]))
  }
}

extension Node {
  /// O(log *n* + *k*) for *k* new items.
  static func replacing(_ range: Range<Int>, of root: Node?, with items: [PackedItem]) -> Node? {
    if items.count <= leafCapacity, let replaced = root?.replacing(range, with: items) {
      return joining(replaced.first, replaced.second)
    }
    let (before, rest) = root?.split(at: range.lowerBound) ?? (nil, nil)
    let after = rest?.split(at: range.count).1
    return joining(joining(before, building(items)), after)
  }

  /// A tree of the same shape with other items. A repeated pattern is read once.
  func mapped(_ rule: (PackedItem) -> PackedItem) -> Node {
    switch self {
    case .leaf(let items): return .leaf(Leaf(items.map(rule)))
    case .repetition(let repetition):
      return .repetition(Repetition(repetition.pattern.mapped(rule), times: repetition.times))
    case .branch(let branch):
      if let segment = branch.segment { return .branch(.holding(Leaf(segment.map(rule)))) }
      return .branch(.joining(ContiguousArray(branch.children.map { $0.mapped(rule) })))
    }
  }

  /// The fast path of edits of one leaf: one or two nodes of this height, and the change of the
  /// sums. Nil if the range spans several leaves or a repetition, or if the leaf would become too
  /// short or too long.
  func replacing(_ range: Range<Int>, with items: [PackedItem]) -> ReplacedNode? {
    switch self {
    case .leaf(let old):
      let count = old.count - range.count + items.count
      let shrinks = items.count < range.count
      guard range.upperBound <= old.count, count <= Node.leafCapacity * 2,
        count >= (shrinks ? Node.leafCapacity / 2 : 1)
      else { return nil }
      let (first, second) = Node.leaves(
        old[..<range.lowerBound], items[...], old[range.upperBound...])
      return ReplacedNode(
        first: first, second: second, change: TotalsChange(from: old[range], to: items))
    case .repetition:
      return nil
    case .branch(let branch):
      // An insertion between two children goes into the first one.
      let child = branch.child(
        holding: range.isEmpty ? max(0, range.lowerBound - 1) : range.lowerBound)
      let before = branch.count(before: child)
      let local = range.lowerBound - before..<range.upperBound - before
      return branch[child].replacing(local, with: items).map {
        branch.replacing(child, with: $0)
      }
    }
  }

  /// The items before `index`, and the items from `index` on. Nil for no items. O(log *n*).
  func split(at index: Int) -> (Node?, Node?) {
    switch self {
    case .leaf(let items):
      if index <= 0 { return (nil, self) }
      if index >= items.count { return (self, nil) }
      return (.leaf(Leaf(items[..<index])), .leaf(Leaf(items[index...])))
    case .repetition(let repetition):
      return repetition.split(at: index)
    case .branch(let branch):
      let child = branch.child(holding: index)
      let (left, right) = branch[child].split(
        at: index - branch.count(before: child))
      var before = BranchBuilder(height: branch.height)
      before.append(branch, 0..<child)
      var after = BranchBuilder(height: branch.height)
      after.append(branch, child + 1..<branch.count)
      return (Node.joining(before.node(), left), Node.joining(right, after.node()))
    }
  }
}

struct ReplacedNode {
  let first: Node
  let second: Node?
  let change: TotalsChange
}

/// The difference that an edit adds to the sums of all later nodes.
struct TotalsChange {
  let totals: Totals
  /// The difference in visible items, by kind. Kinds past the end do not change.
  let kinds: ContiguousArray<Int>

  init(from old: Leaf.SubSequence, to new: [PackedItem]) {
    var (less, more) = (Totals.zero, Totals.zero)
    var kinds = ContiguousArray<Int>()
    func count(_ item: PackedItem, _ difference: Int) {
      if item.isHidden { return }
      while kinds.count <= item.kind { kinds.append(0) }
      kinds[item.kind] += difference
    }
    for item in old {
      less.add(item)
      count(item, -1)
    }
    for item in new {
      more.add(item)
      count(item, 1)
    }
    totals = more - less
    self.kinds = kinds
  }
}

extension Branch {
  fileprivate func replacing(_ child: Int, with new: ReplacedNode) -> ReplacedNode {
    if new.second == nil, new.change.kinds.count <= kinds {
      let branch = replacing(child, with: new.first, adding: new.change)
      return ReplacedNode(first: .branch(branch), second: nil, change: new.change)
    }
    var children = BranchBuilder(height: height)
    children.append(self, 0..<child)
    children.append(new.first)
    if let second = new.second { children.append(second) }
    children.append(self, child + 1..<count)
    let (first, second) = children.nodes()
    return ReplacedNode(first: first, second: second, change: new.change)
  }
}

extension Repetition {
  fileprivate func split(at index: Int) -> (Node?, Node?) {
    if index <= 0 { return (nil, .repetition(self)) }
    if index >= totals.count { return (.repetition(self), nil) }
    let (whole, rest) = index.quotientAndRemainder(dividingBy: patternTotals.count)
    guard rest > 0 else { return (pattern.repeated(whole), pattern.repeated(times - whole)) }
    let (left, right) = pattern.split(at: rest)
    return (
      Node.joining(pattern.repeated(whole), left),
      Node.joining(right, pattern.repeated(times - whole - 1))
    )
  }
}
