/// A tree of items that a rule makes from the items of a strip: the lengths of a list, or one unit
/// for each visible item.
///
/// After an edit of the strip, only the branches that the edit made are mapped again. A repeated
/// pattern is mapped once.
///
/// - Complexity: O(*n*) to make; O(log *n*) after an edit.
struct MappedItems: Sendable {
  /// A branch of the strip and the node made from it.
  private final class Known: Sendable {
    let source: Branch
    let node: Node
    let children: [Known]
    /// The greatest aspect of the mapped items, in 1/65536.
    let greatest: Int

    init(_ source: Branch, _ node: Node, _ children: [Known], _ greatest: Int) {
      (self.source, self.node, self.children, self.greatest) = (source, node, children, greatest)
    }
  }

  let root: Node?
  private let known: Known?
  /// The greatest aspect of the mapped items, in 1/65536; 0 if there are none.
  let greatest: Int

  /// Maps the items of a strip with `rule`, which is the same rule as that of `old`.
  init(_ strip: Strip, reusing old: MappedItems? = nil, _ rule: (PackedItem) -> PackedItem) {
    guard let source = strip.root else {
      (root, known, greatest) = (nil, nil, 0)
      return
    }
    var candidates = old?.known.map { [$0] } ?? []
    if case .branch(let branch) = source {
      while let known = candidates.first, known.source.height > branch.height {
        candidates = candidates.flatMap(\.children)
      }
    }
    (root, known, greatest) = Self.map(source, candidates, rule)
  }

  /// - Parameter old: the known branches of this height that the strip may still have.
  private static func map(
    _ node: Node, _ old: [Known], _ rule: (PackedItem) -> PackedItem
  ) -> (Node, Known?, Int) {
    switch node {
    case .leaf(let items):
      let mapped = Leaf(items.map(rule))
      return (.leaf(mapped), nil, greatest(of: mapped))
    case .repetition(let repetition):
      let (pattern, _, greatest) = map(repetition.pattern, [], rule)
      return (.repetition(Repetition(pattern, times: repetition.times)), nil, greatest)
    case .branch(let branch):
      if let known = old.first(where: { $0.source.identity == branch.identity }) {
        return (known.node, known, known.greatest)
      }
      if let piece = branch.piece {
        let mapped = Leaf(piece.map(rule))
        let node = Node.branch(.holding(mapped))
        let known = Known(branch, node, [], greatest(of: mapped))
        return (node, known, known.greatest)
      }
      let below = old.filter { $0.source.height == branch.height }.flatMap(\.children)
      var children: [Known] = []
      var nodes: ContiguousArray<Node> = []
      var greatest = 0
      for child in 0..<branch.count {
        let (node, known, aspect) = map(branch[child], below, rule)
        nodes.append(node)
        greatest = max(greatest, aspect)
        if let known { children.append(known) }
      }
      let node = Node.branch(.joining(nodes))
      return (node, Known(branch, node, children, greatest), greatest)
    }
  }

  private static func greatest(of items: Leaf) -> Int { items.reduce(0) { max($0, $1.aspect) } }
}
