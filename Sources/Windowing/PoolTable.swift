/// Pools that were asked for, kept for when they are asked again.
///
///     var table = PoolTable()
///     let pools = table.pools(of: layout, stretch: .px(800))
///
/// A value that its owner keeps beside a strip that is edited: answers are exactly those of
/// ``Layout/pools(stretch:)``, whatever was asked or edited before.
public struct PoolTable: Sendable {
  private var strip = Strip()
  private var answers: [PoolQuestion: Pools] = [:]
  private let capacity: Int

  /// Makes a table that remembers at most `capacity` pairs of stretch and height.
  public init(capacity: Int = 32) { self.capacity = max(1, capacity) }

  /// The pools of a stretch.
  ///
  /// - Complexity: O(1) when asked again, O(*n*) the first time.
  public mutating func pools(of layout: Layout, stretch: Length) -> Pools {
    if !strip.hasItems(of: layout.strip) {
      strip = layout.strip
      answers = [:]
    }
    let question = PoolQuestion(layout, stretch: stretch)
    if let known = answers[question] { return known }
    if answers.count == capacity { answers = [:] }
    let pools = layout.pools(stretch: stretch)
    answers[question] = pools
    return pools
  }
}

extension Strip {
  /// Whether both hold one and the same tree.
  func hasItems(of other: Strip) -> Bool {
    guard let root, let others = other.root else { return root == nil && other.root == nil }
    return root.isIdentical(to: others)
  }
}
