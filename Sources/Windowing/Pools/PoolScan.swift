/// One pass over items that finds, for each kind, the most that can lie within a stretch.
///
/// A pool only grows: it is one larger as soon as an item lies close enough to the one that comes
/// P(k) places before it among its kind. So the pass keeps the last P(k) ends of each kind in a
/// ring and compares each item with one other, without ever looking back.
///
/// Positions are in 1/65536 of a unit, where heights times aspects are whole:
///
///     apart(i, j) <= limit   is   start(j) - end(i) < 65536 x (limit + 1)
///
/// - Complexity: O(1) for each item taken. Memory: four times the pools.
struct PoolScan<Fine: FixedWidthInteger & SignedInteger> {
  private let height: Fine
  private let gap: Fine
  private let bound: Fine
  private var start: Fine = 0
  private var rings: ContiguousArray<Ring>
  private var ends: ContiguousArray<Fine>

  /// The last ends of one kind, in `ends[base ... base + mask]`.
  private struct Ring {
    var base: Int
    var mask: Int
    /// How many items of the kind were taken.
    var taken = 0
    /// The pool so far.
    var pool = 0
  }

  /// Starts a pass in which items at most `limit` units apart count as in one stretch.
  init(scale: Scale, limit: Int, kinds: Int) {
    height = Fine(scale.height)
    gap = Fine(scale.gap) << 16
    bound = (Fine(limit) + 1) << 16
    rings = ContiguousArray((0..<kinds).map { Ring(base: $0 * 16, mask: 15) })
    ends = ContiguousArray(repeating: 0, count: kinds * 16)
  }

  /// Forgets what was taken, for another pass.
  mutating func restart() {
    start = 0
    for kind in rings.indices {
      rings[kind].taken = 0
      rings[kind].pool = 0
    }
  }

  /// The pools of what was taken so far.
  var pools: [Int] { rings.map(\.pool) }

  /// Takes the items of `range` of a tree, which follow those taken before.
  ///
  /// Of a repetition only as many turns are taken as one stretch can see, and one more: the
  /// others would find what these found.
  mutating func take(_ node: Node, _ range: Range<Int>) {
    if range.isEmpty { return }
    switch node {
    case .leaf(let items):
      take(items, range)
    case .branch(let branch):
      if let piece = branch.piece { return take(piece, range) }
      var child = branch.child(holding: range.lowerBound)
      while child < branch.count {
        let low = branch.count(before: child)
        let high = branch.count(before: child &+ 1)
        if low >= range.upperBound { break }
        take(
          branch[child],
          max(range.lowerBound, low) &- low..<min(range.upperBound, high) &- low)
        child &+= 1
      }
    case .repetition(let repetition):
      take(repetition, range)
    }
  }

  private mutating func take(_ repetition: Repetition, _ range: Range<Int>) {
    let each = repetition.turn.count
    let firstWhole = (range.lowerBound + each - 1) / each
    let lastWhole = range.upperBound / each
    guard firstWhole <= lastWhole else {
      let base = lastWhole * each
      return take(repetition.pattern, range.lowerBound - base..<range.upperBound - base)
    }
    take(repetition.pattern, each - (firstWhole * each - range.lowerBound)..<each)
    let origin = start
    var turn = firstWhole
    var isSeenWhole = false
    while turn < lastWhole, !isSeenWhole {
      isSeenWhole = start - origin > bound
      take(repetition.pattern, 0..<each)
      turn += 1
    }
    take(repetition.pattern, 0..<range.upperBound - lastWhole * each)
  }

  private mutating func take(_ items: Leaf, _ range: Range<Int>) {
    var place = range.lowerBound
    while place < range.upperBound {
      let full = PoolScan.take(
        items, &place, range.upperBound, (height, gap, bound), &start, &rings, &ends)
      if let full { enlarge(full) }
    }
  }

  /// Takes items up to `last`, or until a pool has filled its ring.
  ///
  /// - Returns: The kind whose ring is full.
  private static func take(
    _ items: Leaf, _ place: inout Int, _ last: Int, _ rule: (height: Fine, gap: Fine, bound: Fine),
    _ start: inout Fine, _ rings: inout ContiguousArray<Ring>, _ ends: inout ContiguousArray<Fine>
  ) -> Int? {
    let items = items.span
    var rings = rings.mutableSpan
    var ends = ends.mutableSpan
    while place < last {
      let item = items[place]
      place &+= 1
      let low = start
      let end = low &+ rule.height &* Fine(item.aspect) &+ Fine(item.width) << 16
      start = end &+ rule.gap
      if item.isHidden { continue }
      let kind = item.kind
      let ring = rings[kind]
      ends[ring.base &+ ring.taken & ring.mask] = end
      rings[kind].taken = ring.taken &+ 1
      if low &- ends[ring.base &+ (ring.taken &- ring.pool) & ring.mask] < rule.bound {
        rings[kind].pool = ring.pool &+ 1
        if ring.pool == ring.mask { return kind }
      }
    }
    return nil
  }

  /// Gives a kind whose pool has filled its ring one of twice the length, at the buffer's end.
  private mutating func enlarge(_ kind: Int) {
    let old = rings[kind]
    let base = ends.count
    ends.append(contentsOf: repeatElement(0, count: (old.mask + 1) * 2))
    for back in 1...old.mask + 1 {
      let number = old.taken &- back
      if number < 0 { break }
      ends[base + number & (old.mask * 2 + 1)] = ends[old.base + number & old.mask]
    }
    rings[kind].base = base
    rings[kind].mask = old.mask * 2 + 1
  }
}
