/// The pools of one question, piece by piece, so that after an edit only the pieces that can see
/// it are scanned again.
///
///     … ┃ chunk 6 ┃ chunk 7 │ chunk 8 │ chunk 9 ┃ chunk 10 …
///          ├ lead ┤├──────── a piece ──────────┤
///
/// A piece is a run of chunks at least as long as the lead before it, and the lead as long as the
/// stretch. Its last chunk answers for the pairs of items within lead and piece. What it found
/// depends on these items alone: it holds as long as they are the same.
struct ChunkPools: Sendable {
  private let question: PoolQuery
  private let chunks: StripChunks
  private let kinds: Int

  /// The pools of the piece that ends with a chunk, `kinds` numbers a chunk; elsewhere zeros.
  private var sizes: ContiguousArray<Int>

  /// For the chunk that a piece ends with, how many chunks before it were looked at: the rest of
  /// the piece and the lead; one more than there are when the start of the strip cut it off.
  private var leads: ContiguousArray<Int>

  /// For the chunk that a piece ends with, how many chunks the piece has; elsewhere 0.
  private var spans: ContiguousArray<Int>

  /// Finds the pools of every chunk; those that `old` has found already are taken from there.
  ///
  /// - Complexity: O(*n*) from nothing; O(chunks + items around the edits) from an old answer.
  init(_ question: PoolQuery, _ chunks: StripChunks, from old: ChunkPools? = nil) {
    self.question = question
    self.chunks = chunks
    kinds = chunks.root.kindCount
    sizes = ContiguousArray(repeating: 0, count: chunks.count * kinds)
    leads = ContiguousArray(repeating: 0, count: chunks.count)
    spans = ContiguousArray(repeating: 0, count: chunks.count)
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

  /// The pools over all pairs: the largest of all pieces, and of the seam where turns follow one
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
    let shared = old.map { chunks.shared(with: $0.chunks) }
    let settled = settledChunk(in: old, back: shared?.back ?? 0)
    var pieces = Pieces<Fine>(question, chunks, kinds)
    if let old, let shared {
      // With everything before a chunk the same, so is what it found.
      take(0..<shared.front, of: old, at: 0)
      pieces.answered = (spans[..<shared.front].lastIndex { $0 > 0 } ?? -1) + 1
    }
    for chunk in (shared?.front ?? 0)..<settled {
      if let old, let place = same(chunk, in: old, shared) {
        if old.spans[place] == 0 { continue }
        if chunk - old.spans[place] < pieces.answered {
          take(place..<place + 1, of: old, at: chunk)
          pieces.answered = chunk + 1
          continue
        }
      }
      if chunk == settled - 1 || pieces.isLongEnough(upTo: chunk) { find(chunk, &pieces) }
    }
    if pieces.answered < settled { find(settled - 1, &pieces) }
    if let old, settled < chunks.count {
      take(settled - (chunks.count - old.chunks.count)..<old.chunks.count, of: old, at: settled)
    }
  }

  /// The first of the last chunks that are all as they were, with none looking back past them.
  private func settledChunk(in old: ChunkPools?, back: Int) -> Int {
    guard let old else { return chunks.count }
    let first = chunks.count - back
    let moved = chunks.count - old.chunks.count
    let unsettled = (first..<chunks.count).last { old.leads[$0 - moved] > $0 - first }
    return unsettled.map { $0 + 1 } ?? first
  }

  /// The chunk of an older answer that is the same, and has the same before it as far as it looked.
  private func same(_ chunk: Int, in old: ChunkPools, _ shared: SharedChunks?) -> Int? {
    guard let shared else { return nil }
    let place =
      chunk < chunks.count - shared.back
      ? chunks.identity(chunk).flatMap { shared.between[$0] }
      : chunk - (chunks.count - old.chunks.count)
    guard let place,
      chunks.sees(chunk, asFarAs: old.leads[place], likeChunk: place, of: old.chunks)
    else { return nil }
    return place
  }

  private mutating func find<Fine>(_ chunk: Int, _ pieces: inout Pieces<Fine>) {
    spans[chunk] = chunk + 1 - pieces.answered
    let (pools, lead) = pieces.scanned(upTo: chunk)
    for kind in 0..<kinds { sizes[chunk * kinds + kind] = pools[kind] }
    leads[chunk] = lead == 0 ? chunk + 1 : chunk - chunks.chunk(of: lead)
  }

  /// Takes over what was found for chunks that are the same.
  private mutating func take(_ places: Range<Int>, of old: ChunkPools, at chunk: Int) {
    leads.replaceSubrange(chunk..<chunk + places.count, with: old.leads[places])
    spans.replaceSubrange(chunk..<chunk + places.count, with: old.spans[places])
    if old.kinds == kinds {
      sizes.replaceSubrange(
        chunk * kinds..<(chunk + places.count) * kinds,
        with: old.sizes[places.lowerBound * kinds..<places.upperBound * kinds])
      return
    }
    for place in places {
      let target = (chunk + place - places.lowerBound) * kinds
      for kind in 0..<min(kinds, old.kinds) {
        sizes[target + kind] = old.sizes[place * old.kinds + kind]
      }
    }
  }
}

/// Scans piece after piece of a strip.
private struct Pieces<Fine: FixedWidthInteger & SignedInteger> {
  private let question: PoolQuery
  private let chunks: StripChunks
  private var scan: PoolScan<Fine>

  /// The first item of the lead before the piece that begins after the last one.
  private var lead = 0

  /// How many chunks from the first on lie in pieces that have an answer.
  var answered = 0 {
    didSet { lead = question.lead(before: chunks.starts[answered], in: chunks.root) }
  }

  init(_ question: PoolQuery, _ chunks: StripChunks, _ kinds: Int) {
    self.question = question
    self.chunks = chunks
    scan = PoolScan(scale: question.scale, limit: question.limit, kinds: kinds)
  }

  /// Whether a piece that ends with `chunk` is as long as its lead.
  func isLongEnough(upTo chunk: Int) -> Bool {
    let start = chunks.starts[answered]
    return chunks.starts[chunk + 1] - start >= start - lead
  }

  /// The pools of the piece that ends with `chunk`, and where its lead began.
  mutating func scanned(upTo chunk: Int) -> (pools: [Int], lead: Int) {
    let first = lead
    scan.restart()
    scan.take(chunks.root, first..<chunks.starts[chunk + 1])
    answered = chunk + 1
    return (scan.pools, first)
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

extension PoolQuery {
  /// The first item that can be in one stretch with the item at `index`, or one before it.
  fileprivate func lead(before index: Int, in root: Node) -> Int {
    let start = scale.position(root.totals(before: index))
    return min(
      index,
      root.firstItem(endingAfter: start - limit + scale.gap - 3, at: scale)?.before.count ?? index)
  }
}
