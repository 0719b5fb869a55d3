/// A strip's tree cut into the branches right above its leaves: some thousands of items each.
///
/// Nodes never change, so two strips that share a branch have the same items there. Comparing
/// chunks by identity tells where a strip was edited without anyone having kept a record.
struct StripChunks: Sendable {
  /// Holds the tree, so that identities keep their meaning.
  let root: Node
  let identities: ContiguousArray<ObjectIdentifier>

  /// The index of each chunk's first item, and the count of all.
  let starts: ContiguousArray<Int>

  /// Cuts a tree up. O(chunks).
  init(_ root: Node) {
    self.root = root
    var identities = ContiguousArray<ObjectIdentifier>()
    var starts: ContiguousArray = [0]
    func cut(_ branch: Branch) {
      if branch.height == 1 {
        identities.append(branch.identity)
        starts.append(starts[starts.count - 1] + branch.count(before: branch.count))
      } else {
        for case .branch(let child) in branch.children { cut(child) }
      }
    }
    switch root {
    case .branch(let branch):
      cut(branch)
    case .repetition(let repetition):
      identities.append(ObjectIdentifier(repetition))
      starts.append(repetition.totals.count)
    case .leaf(let items):
      // A leaf has no identity; nor is there anything to save by knowing it again.
      starts.append(items.count)
    }
    self.identities = identities
    self.starts = starts
  }

  /// How many chunks there are; one also for a tree that is a single leaf.
  var count: Int { starts.count - 1 }

  /// What tells a chunk from others; nil for a leaf.
  func identity(_ chunk: Int) -> ObjectIdentifier? {
    chunk < identities.count ? identities[chunk] : nil
  }

  /// The indices of the items of a chunk.
  func range(_ chunk: Int) -> Range<Int> { starts[chunk]..<starts[chunk + 1] }

  /// The chunk that the item at `index` is in. O(log chunks).
  func chunk(of index: Int) -> Int {
    var low = 0
    var high = count - 1
    while low < high {
      let middle = (low + high) / 2
      if starts[middle + 1] > index { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Which chunks are the very same as some of `old`. O(chunks).
  func shared(with old: StripChunks) -> SharedChunks {
    let (new, others) = (identities, old.identities)
    let most = min(new.count, others.count)
    var front = 0
    while front < most, new[front] == others[front] { front += 1 }
    var back = 0
    while back < most - front, new[new.count - 1 - back] == others[others.count - 1 - back] {
      back += 1
    }
    let between = Dictionary(
      (front..<others.count - back).map { (others[$0], $0) },
      uniquingKeysWith: { first, _ in first })
    return SharedChunks(front: front, back: back, between: between)
  }
}

/// What two lists of chunks have in common.
struct SharedChunks {
  /// How many chunks are the same from the start on.
  let front: Int
  /// How many are the same up to the end.
  let back: Int
  /// The chunks of the older list between these, by identity.
  let between: [ObjectIdentifier: Int]
}
