/// The pools of one query, by segment, so that an edit rescans only the segments around it.
///
///     … ┃ chunk 6 ┃ chunk 7 │ chunk 8 │ chunk 9 ┃ chunk 10 …
///          ├ lead ┤├─────── a segment ─────────┤
///
/// A segment is a run of chunks, and its lead is the stretch before it. A segment is at least as
/// long as its lead. Its result covers the pairs of items within lead and segment, and is stored
/// at the last chunk of the segment. It remains valid as long as these items do not change.
struct ChunkPools: Sendable {
  private let query: PoolQuery
  private let chunks: StripChunks
  private let kinds: Int

  /// The pools of the segment that ends with a chunk: `kinds` numbers for each chunk. 0 for chunks
  /// that end no segment.
  private var sizes: ContiguousArray<Int>

  /// The number of chunks before the last chunk of a segment that the scan has read: the rest of
  /// the segment, and the lead. One more than there are if the start of the strip cut the lead.
  private var leads: ContiguousArray<Int>

  /// The number of chunks of the segment that ends with a chunk. 0 for other chunks.
  private var spans: ContiguousArray<Int>

  /// Finds the pools of all segments. Copies unchanged segments from `old`.
  ///
  /// - Complexity: O(*n*) without an old result, else O(chunks + items around the edits).
  init(_ query: PoolQuery, _ chunks: StripChunks, from old: ChunkPools? = nil) {
    self.query = query
    self.chunks = chunks
    kinds = chunks.root.kindCount
    sizes = ContiguousArray(repeating: 0, count: chunks.count * kinds)
    leads = ContiguousArray(repeating: 0, count: chunks.count)
    spans = ContiguousArray(repeating: 0, count: chunks.count)
    if query.isNarrow(chunks.root) {
      fill(from: old, as: Int.self)
    } else {
      fill(from: old, as: Int128.self)
    }
  }

  func isOf(_ other: StripChunks) -> Bool { isOf(other.root) }

  /// Whether this is the result for the tree with this root.
  func isOf(_ root: Node) -> Bool { chunks.root.isIdentical(to: root) }

  /// The pools over all pairs: the largest of all segments and of the wraparound.
  ///
  /// - Complexity: O(chunks + items in a stretch).
  func pools() -> Pools {
    var most = [Int](repeating: 0, count: kinds)
    var start = 0
    while start < sizes.count {
      for kind in 0..<kinds { most[kind] = max(most[kind], sizes[start &+ kind]) }
      start &+= kinds
    }
    let linear = Pools(most)
    return query.wraps ? linear.maximum(with: query.poolsAcrossWraparound(chunks.root)) : linear
  }

  private mutating func fill<Fine: FixedWidthInteger & SignedInteger>(
    from old: ChunkPools?, as: Fine.Type
  ) {
    let shared = old.map { chunks.shared(with: $0.chunks) }
    let tail = unchangedTail(of: old, back: shared?.back ?? 0)
    var scanner = SegmentScanner<Fine>(query, chunks, kinds)
    if let old, let shared {
      // A segment is unchanged if all chunks before its end are unchanged.
      copy(0..<shared.front, of: old, to: 0)
      scanner.done = (spans[..<shared.front].lastIndex { $0 > 0 } ?? -1) + 1
    }
    for chunk in (shared?.front ?? 0)..<tail {
      if let old, let oldChunk = unchangedChunk(chunk, in: old, shared) {
        if old.spans[oldChunk] == 0 { continue }
        if chunk - old.spans[oldChunk] < scanner.done {
          copy(oldChunk..<oldChunk + 1, of: old, to: chunk)
          scanner.done = chunk + 1
          continue
        }
      }
      if chunk == tail - 1 || scanner.isLongEnough(upTo: chunk) { scan(chunk, &scanner) }
    }
    if scanner.done < tail { scan(tail - 1, &scanner) }
    if let old, tail < chunks.count {
      copy(tail - (chunks.count - old.chunks.count)..<old.chunks.count, of: old, to: tail)
    }
  }

  /// The first chunk of an unchanged end of the strip: no segment there has read chunks before it.
  private func unchangedTail(of old: ChunkPools?, back: Int) -> Int {
    guard let old else { return chunks.count }
    let first = chunks.count - back
    let moved = chunks.count - old.chunks.count
    let changed = (first..<chunks.count).last { old.leads[$0 - moved] > $0 - first }
    return changed.map { $0 + 1 } ?? first
  }

  /// The chunk of an old result that equals `chunk`, if the chunks that its scan has read are equal
  /// too.
  private func unchangedChunk(
    _ chunk: Int, in old: ChunkPools, _ shared: SharedChunks?
  ) -> Int? {
    guard let shared else { return nil }
    let oldChunk =
      chunk < chunks.count - shared.back
      ? chunks.identity(chunk).flatMap { shared.between[$0] }
      : chunk - (chunks.count - old.chunks.count)
    guard let oldChunk,
      chunks.hasSameLead(chunk, old.leads[oldChunk], asChunk: oldChunk, of: old.chunks)
    else { return nil }
    return oldChunk
  }

  private mutating func scan<Fine>(_ chunk: Int, _ scanner: inout SegmentScanner<Fine>) {
    spans[chunk] = chunk + 1 - scanner.done
    let (pools, lead) = scanner.scan(upTo: chunk)
    for kind in 0..<kinds { sizes[chunk * kinds + kind] = pools[kind] }
    leads[chunk] = lead == 0 ? chunk + 1 : chunk - chunks.chunk(of: lead)
  }

  private mutating func copy(_ range: Range<Int>, of old: ChunkPools, to chunk: Int) {
    leads.replaceSubrange(chunk..<chunk + range.count, with: old.leads[range])
    spans.replaceSubrange(chunk..<chunk + range.count, with: old.spans[range])
    if old.kinds == kinds {
      sizes.replaceSubrange(
        chunk * kinds..<(chunk + range.count) * kinds,
        with: old.sizes[range.lowerBound * kinds..<range.upperBound * kinds])
      return
    }
    for oldChunk in range {
      let target = (chunk + oldChunk - range.lowerBound) * kinds
      for kind in 0..<min(kinds, old.kinds) {
        sizes[target + kind] = old.sizes[oldChunk * old.kinds + kind]
      }
    }
  }
}

private struct SegmentScanner<Fine: FixedWidthInteger & SignedInteger> {
  private let query: PoolQuery
  private let chunks: StripChunks
  private var pass: PoolScan<Fine>

  /// The first item of the lead of the next segment.
  private var lead = 0

  /// The number of chunks at the start of the strip that have a result.
  var done = 0 {
    didSet { lead = query.lead(before: chunks.starts[done], in: chunks.root) }
  }

  init(_ query: PoolQuery, _ chunks: StripChunks, _ kinds: Int) {
    self.query = query
    self.chunks = chunks
    pass = PoolScan(scale: query.scale, limit: query.limit, kinds: kinds)
  }

  /// Whether a segment that ends with `chunk` is as long as its lead.
  func isLongEnough(upTo chunk: Int) -> Bool {
    let start = chunks.starts[done]
    return chunks.starts[chunk + 1] - start >= start - lead
  }

  /// The pools of the segment that ends with `chunk`, and the first item of its lead.
  mutating func scan(upTo chunk: Int) -> (pools: [Int], lead: Int) {
    let first = lead
    pass.restart()
    pass.append(chunks.root, first..<chunks.starts[chunk + 1])
    done = chunk + 1
    return (pass.pools, first)
  }
}

extension PoolQuery {
  /// An item at or before the first item that can be in one stretch with the item at `index`.
  fileprivate func lead(before index: Int, in root: Node) -> Int {
    let start = scale.position(root.totals(before: index))
    return min(
      index,
      root.firstItem(endingAfter: start - limit + scale.gap - 3, at: scale)?.before.count ?? index)
  }
}

/// The chunks of a strip: the branches above its leaves, some thousands of items each.
///
/// Nodes never change. Two strips that share a chunk therefore have the same items in it, and a
/// comparison of identities finds the edits.
struct StripChunks: Sendable {
  /// Retains the tree, so that identities stay unique.
  let root: Node
  let identities: ContiguousArray<ObjectIdentifier>

  /// The first index of each chunk, and the count of all items.
  let starts: ContiguousArray<Int>

  /// Lists the chunks of a tree. O(chunks).
  init(_ root: Node) {
    self.root = root
    var identities = ContiguousArray<ObjectIdentifier>()
    var starts: ContiguousArray = [0]
    func append(_ branch: Branch) {
      if branch.height == 1 {
        identities.append(branch.identity)
        starts.append(starts[starts.count - 1] + branch.count(before: branch.count))
      } else {
        for case .branch(let child) in branch.children { append(child) }
      }
    }
    switch root {
    case .branch(let branch):
      append(branch)
    case .repetition(let repetition):
      identities.append(ObjectIdentifier(repetition))
      starts.append(repetition.totals.count)
    case .leaf(let items):
      // A leaf has no identity. A scan of it is fast.
      starts.append(items.count)
    }
    self.identities = identities
    self.starts = starts
  }

  /// The number of chunks; 1 for a single leaf.
  var count: Int { starts.count - 1 }

  /// The identity of a chunk; nil for a leaf.
  func identity(_ chunk: Int) -> ObjectIdentifier? {
    chunk < identities.count ? identities[chunk] : nil
  }

  /// The chunk that contains the item at `index`. O(log chunks).
  func chunk(of index: Int) -> Int {
    (0..<count - 1).partitioningIndex { starts[$0 + 1] > index }
  }

  /// The chunks that both strips share. O(chunks).
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

  /// Whether the `lead` chunks before `chunk` equal those before a chunk of another strip.
  fileprivate func hasSameLead(
    _ chunk: Int, _ lead: Int, asChunk oldChunk: Int, of old: StripChunks
  ) -> Bool {
    // If the start of the strip cut the lead, it must cut it at the same chunk.
    guard lead > oldChunk ? chunk == oldChunk : lead <= chunk else { return false }
    return (0..<min(lead, oldChunk)).allSatisfy {
      identities[chunk - 1 - $0] == old.identities[oldChunk - 1 - $0]
    }
  }
}

/// The common chunks of two strips.
struct SharedChunks {
  let front: Int
  let back: Int
  /// The indices of the other chunks of the older strip, by identity.
  let between: [ObjectIdentifier: Int]
}
