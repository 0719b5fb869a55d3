/// A tree of items that a rule makes from the items of a strip: the lengths of a list. After an edit
/// of the strip, only new branches are mapped.
///
/// - Complexity: O(*n*) to make; O(log *n*) after an edit.
struct MappedItems: Sendable {
  /// A branch of the strip and the node made from it.
  private final class Known: Sendable {
    let source: Branch
    let node: Node
    let children: [Known]
    let measure: Measure

    init(_ source: Branch, _ node: Node, _ children: [Known], _ measure: Measure) {
      (self.source, self.node, self.children, self.measure) = (source, node, children, measure)
    }

    /// The leaves of a branch of leaves, in order.
    var leaves: [(source: Leaf, mapped: Leaf)] {
      guard source.height == 1, case .branch(let mapped) = node else { return [] }
      return (0..<source.count).compactMap { child in
        if case .leaf(let a) = source[child], case .leaf(let b) = mapped[child] {
          (a, b)
        } else {
          nil
        }
      }
    }
  }

  private struct Measure {
    var greatest = 0
    var cost = 0

    init(_ items: Leaf) {
      greatest = items.reduce(0) { max($0, $1.aspect) }
      cost = 48 + 8 * items.count
    }

    init(_ children: [Measure], kinds: Int) {
      // The branch and what is known of it, with their arrays.
      cost = 250 + children.count * (40 + 8 * kinds)
      for child in children {
        greatest = max(greatest, child.greatest)
        cost += child.cost
      }
    }
  }

  let root: Node?
  private let known: Known?
  private let measure: Measure

  /// The greatest aspect of the mapped items, in 1/65536; 0 if there are none.
  var greatest: Int { measure.greatest }

  /// The approximate memory in bytes.
  var cost: Int { measure.cost }

  /// - Parameter rule: the rule of `old`.
  init(_ strip: Strip, reusing old: MappedItems? = nil, _ rule: (PackedItem) -> PackedItem) {
    guard let source = strip.root else {
      (root, known, measure) = (nil, nil, Measure([], kinds: 0))
      return
    }
    var candidates = old?.known.map { [$0] } ?? []
    if case .branch(let branch) = source {
      while let known = candidates.first, known.source.height > branch.height {
        candidates = candidates.flatMap(\.children)
      }
    }
    (root, known, measure) = Self.map(source, candidates, rule)
  }

  /// - Parameter old: the known branches of this height that the strip may still have.
  private static func map(
    _ node: Node, _ old: [Known], _ rule: (PackedItem) -> PackedItem
  ) -> (Node, Known?, Measure) {
    switch node {
    case .leaf(let items):
      let mapped = Leaf(items.map(rule))
      return (.leaf(mapped), nil, Measure(mapped))
    case .repetition(let repetition):
      let (pattern, _, measure) = map(repetition.pattern, [], rule)
      return (.repetition(Repetition(pattern, times: repetition.times)), nil, measure)
    case .branch(let branch):
      if let known = old.first(where: { $0.source.identity == branch.identity }) {
        return (known.node, known, known.measure)
      }
      let known =
        branch.piece.map { map(piece: $0, of: branch, rule) } ?? map(childrenOf: branch, old, rule)
      return (known.node, known, known.measure)
    }
  }

  private static func map(
    piece: Leaf, of branch: Branch, _ rule: (PackedItem) -> PackedItem
  ) -> Known {
    let mapped = Leaf(piece.map(rule))
    let node = Branch.holding(mapped)
    var measure = Measure([Measure(mapped)], kinds: 0)
    measure.cost += node.count * (32 + 8 * node.kinds)
    return Known(branch, .branch(node), [], measure)
  }

  private static func map(
    childrenOf branch: Branch, _ old: [Known], _ rule: (PackedItem) -> PackedItem
  ) -> Known {
    let below = old.filter { $0.source.height == branch.height }.flatMap(\.children)
    let known = Dictionary(below.map { ($0.source.identity, $0) }) { first, _ in first }
    let shared = Set((0..<branch.count).compactMap { branch[$0].identity })
    let changed = below.filter { !shared.contains($0.source.identity) }
    var leaves = old.flatMap(\.leaves)[...]
    var children: [Known] = []
    var nodes: ContiguousArray<Node> = []
    var measures: [Measure] = []
    for child in 0..<branch.count {
      if case .leaf(let items) = branch[child],
        let index = leaves.firstIndex(where: { $0.source == items })
      {
        nodes.append(.leaf(leaves[index].mapped))
        measures.append(Measure(leaves[index].mapped))
        leaves = leaves[(index + 1)...]
        continue
      }
      let (node, known, measure) =
        branch[child].identity.flatMap { known[$0] }.map { ($0.node, $0, $0.measure) }
        ?? map(branch[child], changed, rule)
      nodes.append(node)
      measures.append(measure)
      if let known { children.append(known) }
    }
    let node = Branch.joining(nodes)
    let measure = Measure(measures, kinds: node.kinds)
    return Known(branch, .branch(node), children, measure)
  }
}

extension Node {
  fileprivate var identity: ObjectIdentifier? {
    if case .branch(let branch) = self { branch.identity } else { nil }
  }
}
