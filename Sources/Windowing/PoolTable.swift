/// Pools that were asked for, kept for when they are asked again, and through edits.
///
///     var table = PoolTable()
///     let pools = table.pools(of: layout, stretch: .px(800))
///
/// A value that its owner keeps beside a strip that is edited. Nobody tells it of edits: it sees
/// which parts of the tree are new. Answers are exactly those of ``Layout/pools(stretch:)``,
/// whatever was asked or edited before; what is kept is only ever a saving.
///
/// - Complexity: Memory is O(*n* / 2000) for each question remembered, and of these there are at
///   most as many as its capacity; each keeps the strip alive that it was asked about last.
public struct PoolTable: Sendable {
  private struct Answer {
    let parts: ChunkPools
    let pools: Pools
    var asked: Int
  }

  private let capacity: Int
  private var answers: [PoolQuestion: Answer] = [:]
  private var chunks: StripChunks?
  private var clock = 0

  /// Makes a table that remembers the `capacity` pairs of stretch and height asked last.
  public init(capacity: Int = 32) { self.capacity = max(1, capacity) }

  /// The pools of a stretch: ``Layout/pools(stretch:)``, remembered.
  ///
  /// - Complexity: O(1) when asked again; after edits O(*n* / 2000 + items around them); O(*n*)
  ///   the first time.
  public mutating func pools(of layout: Layout, stretch: Length) -> Pools {
    guard let root = layout.strip.root else { return Pools([]) }
    let question = PoolQuestion(layout, stretch: stretch)
    let chunks = chunks(of: root)
    clock += 1
    if let known = answers[question], known.parts.isOf(chunks) {
      answers[question]?.asked = clock
      return known.pools
    }
    let parts = ChunkPools(question, chunks, from: answers[question]?.parts)
    let pools = parts.pools()
    forgetOldest(for: question)
    answers[question] = Answer(parts: parts, pools: pools, asked: clock)
    return pools
  }

  /// The pools of a stretch as far as they are remembered for this very strip.
  ///
  /// - Complexity: O(1).
  public mutating func remembered(of layout: Layout, stretch: Length) -> Pools? {
    guard let root = layout.strip.root else { return Pools([]) }
    let question = PoolQuestion(layout, stretch: stretch)
    guard let known = answers[question], known.parts.isOf(root) else { return nil }
    clock += 1
    answers[question]?.asked = clock
    return known.pools
  }

  /// Whether the pools of a stretch are remembered, for this strip or for one that it was edited
  /// from, so that finding them is not O(*n*).
  public func isNear(_ layout: Layout, stretch: Length) -> Bool {
    layout.strip.root == nil || answers[PoolQuestion(layout, stretch: stretch)] != nil
  }

  /// Takes over what `other` remembers of a stretch: a copy of this table that was asked meanwhile.
  public mutating func adopt(_ other: PoolTable, for layout: Layout, stretch: Length) {
    let question = PoolQuestion(layout, stretch: stretch)
    guard let answer = other.answers[question] else { return }
    forgetOldest(for: question)
    clock += 1
    answers[question] = answer
    answers[question]?.asked = clock
  }

  private mutating func chunks(of root: Node) -> StripChunks {
    if let chunks, chunks.root.isIdentical(to: root) { return chunks }
    let fresh = StripChunks(root)
    chunks = fresh
    return fresh
  }

  private mutating func forgetOldest(for question: PoolQuestion) {
    guard answers[question] == nil, answers.count >= capacity else { return }
    if let oldest = answers.min(by: { $0.value.asked < $1.value.asked }) {
      answers[oldest.key] = nil
    }
  }
}
