/// The pools of one question, chunk by chunk, so that after an edit only the chunks that can see
/// it are scanned again.
///
///     … ┃ chunk 6            ┃ chunk 7            ┃ chunk 8 …
///            ├─ lead ─┤├──── pairs within lead and chunk 7
///
/// A chunk answers for the pairs of items within itself and a lead before it, as long as the
/// stretch. What it found depends on these items alone: it holds as long as they are the same.
struct ChunkPools: Sendable {
  private let question: PoolQuestion
  private let chunks: StripChunks
  private let kinds: Int

  /// The pools of each chunk, `kinds` numbers a chunk.
  private var sizes: ContiguousArray<Int> = []

  /// How many chunks before it each chunk's lead begins in; one more than there are when it was
  /// cut off by the start of the strip.
  private var leads: ContiguousArray<Int> = []

  /// Finds the pools of every chunk; those that `old` has found already are taken from there.
  ///
  /// - Complexity: O(*n*) from nothing; O(chunks + items around the edits) from an old answer.
  init(_ question: PoolQuestion, _ chunks: StripChunks, from old: ChunkPools? = nil) {
    self.question = question
    self.chunks = chunks
    kinds = chunks.root.kindCount
    if question.isNarrow(chunks.root) {
      fill(from: old, as: Int.self)
    } else {
      fill(from: old, as: Int128.self)
    }
  }

  /// Whether this was found for the tree that these chunks are of.
  func isOf(_ other: StripChunks) -> Bool { isOf(other.root) }

  /// Whether this was found for the tree of this root.
  func isOf(_ root: Node) -> Bool { chunks.root.isIdentical(to: root) }

  /// The pools over all pairs: the largest of all chunks, and of the seam where turns follow one
  /// another.
  ///
  /// - Complexity: O(chunks + items in a stretch).
  func pools() -> Pools {
    var most = [Int](repeating: 0, count: kinds)
    var place = 0
    while place < sizes.count {
      for kind in 0..<kinds { most[kind] = max(most[kind], sizes[place &+ kind]) }
      place &+= kinds
    }
    let line = Pools(most)
    return question.wraps ? line.widened(by: question.poolsOverSeam(chunks.root)) : line
  }

  private mutating func fill<Fine: FixedWidthInteger & SignedInteger>(
    from old: ChunkPools?, as: Fine.Type
  ) {
    var scan = PoolScan<Fine>(scale: question.scale, limit: question.limit, kinds: kinds)
    let known = old.map { chunks.found(in: $0.chunks) }
    sizes.reserveCapacity(chunks.count * kinds)
    leads.reserveCapacity(chunks.count)
    for chunk in 0..<chunks.count {
      if let old, let known, let place = known[chunk],
        chunks.sees(chunk, asFarAs: old.leads[place], likeChunk: place, of: old.chunks)
      {
        for kind in 0..<kinds {
          sizes.append(kind < old.kinds ? old.sizes[place &* old.kinds &+ kind] : 0)
        }
        leads.append(old.leads[place])
      } else {
        let range = chunks.range(chunk)
        let lead = question.lead(before: range.lowerBound, in: chunks.root)
        scan.restart()
        scan.take(chunks.root, lead..<range.upperBound)
        sizes.append(contentsOf: scan.pools)
        leads.append(lead == 0 ? chunk + 1 : chunk - chunks.chunk(of: lead))
      }
    }
  }
}

extension StripChunks {
  /// Whether the chunks before one, `lead` of them, are those before one of another strip.
  fileprivate func sees(
    _ chunk: Int, asFarAs lead: Int, likeChunk place: Int, of old: StripChunks
  ) -> Bool {
    // A lead that the start of the strip cut off must be cut off there again.
    guard lead > place ? chunk == place : lead <= chunk else { return false }
    return (0..<min(lead, place)).allSatisfy {
      identities[chunk - 1 - $0] == old.identities[place - 1 - $0]
    }
  }
}

extension PoolQuestion {
  /// The first item that can be in one stretch with the item at `index`, or one before it.
  fileprivate func lead(before index: Int, in root: Node) -> Int {
    let start = scale.position(root.totals(before: index))
    return min(
      index,
      root.firstItem(endingAfter: start - limit + scale.gap - 3, at: scale)?.before.count ?? index)
  }
}
