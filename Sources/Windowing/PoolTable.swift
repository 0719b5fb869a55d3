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
    let question: PoolQuery
    let parts: ChunkPools
    let pools: Pools
  }

  private let capacity: Int
  /// The one asked last in front.
  private var answers: [Answer] = []
  private var chunks: StripChunks?

  /// Makes a table that remembers the `capacity` pairs of stretch and height asked last.
  public init(capacity: Int = 32) { self.capacity = max(1, capacity) }

  /// The pools of a stretch: ``Layout/pools(stretch:)``, remembered.
  ///
  /// - Complexity: O(1) when asked again; after edits O(*n* / 2000 + items around them); O(*n*)
  ///   the first time.
  public mutating func pools(of layout: Layout, stretch: Length) -> Pools {
    guard let root = layout.strip.root else { return Pools([]) }
    let question = PoolQuery(layout, stretch: stretch)
    let chunks = chunks(of: root)
    let place = place(of: question)
    if let place, answers[place].parts.isOf(chunks) { return takeToFront(place).pools }
    let parts = ChunkPools(question, chunks, from: place.map { answers[$0].parts })
    let answer = Answer(question: question, parts: parts, pools: parts.pools())
    putInFront(answer)
    return answer.pools
  }

  /// The pools of a stretch as far as they are remembered for this very strip.
  ///
  /// - Complexity: O(1).
  public mutating func remembered(of layout: Layout, stretch: Length) -> Pools? {
    guard let root = layout.strip.root else { return Pools([]) }
    guard let place = place(of: PoolQuery(layout, stretch: stretch)),
      answers[place].parts.isOf(root)
    else { return nil }
    return takeToFront(place).pools
  }

  /// Whether the pools of a stretch are remembered, for this strip or for one that it was edited
  /// from, so that finding them is not O(*n*).
  public func isNear(_ layout: Layout, stretch: Length) -> Bool {
    layout.strip.root == nil || place(of: PoolQuery(layout, stretch: stretch)) != nil
  }

  /// Takes over what `other` remembers of a stretch: a copy of this table that was asked meanwhile.
  public mutating func adopt(_ other: PoolTable, for layout: Layout, stretch: Length) {
    guard let place = other.place(of: PoolQuery(layout, stretch: stretch)) else { return }
    putInFront(other.answers[place])
  }

  private func place(of question: PoolQuery) -> Int? {
    answers.firstIndex { $0.question == question }
  }

  private mutating func takeToFront(_ place: Int) -> Answer {
    if place > 0 { answers.insert(answers.remove(at: place), at: 0) }
    return answers[0]
  }

  /// Puts `answer` in the place of the one to the same question, or of the one asked longest ago.
  private mutating func putInFront(_ answer: Answer) {
    if let place = place(of: answer.question) {
      answers.remove(at: place)
    } else if answers.count >= capacity {
      answers.removeLast()
    }
    answers.insert(answer, at: 0)
  }

  private mutating func chunks(of root: Node) -> StripChunks {
    if let chunks, chunks.root.isIdentical(to: root) { return chunks }
    let fresh = StripChunks(root)
    chunks = fresh
    return fresh
  }
}
