/// One pass over items that finds, for each kind, the most items within a length.
///
/// A pool P(k) grows by one if an item is close enough to the item P(k) places before it among its
/// kind k. The pass therefore keeps the last P(k) ends of each kind in a ring buffer, and compares
/// each item with one other item.
///
/// Positions are in 1/65536 of a unit, so that heights times aspects are integers:
///
///     distance(i, j) <= limit   is   start(j) - end(i) < 65536 x (limit + 1)
///
/// - Complexity: O(1) for each item. The memory is four times the pools.
struct PoolScan<Fine: FixedWidthInteger & SignedInteger> {
  private let height: Fine
  private let gap: Fine
  private let bound: Fine
  private var start: Fine = 0
  private var rings: ContiguousArray<Ring>
  private var ends: ContiguousArray<Fine>

  /// A ring buffer of the last ends of one kind: `ends[base ... base + mask]`.
  private struct Ring {
    var base: Int
    var mask: Int
    var count = 0
    var pool = 0
  }

  /// - Parameter limit: the largest distance of two items in one length.
  init(scale: Scale, limit: Int, kinds: Int) {
    height = Fine(scale.height)
    gap = Fine(scale.gap) << 16
    bound = (Fine(limit) + 1) << 16
    rings = ContiguousArray(repeating: Ring(base: 0, mask: 15), count: kinds)
    for kind in 0..<kinds { rings[kind].base = kind * 16 }
    ends = ContiguousArray(repeating: 0, count: kinds * 16)
  }

  var pools: [Int] { rings.map(\.pool) }

  /// Appends as many laps of a repetition as one length can contain, and one more. The others
  /// would give the same result.
  mutating func append(_ node: Node, _ range: Range<Int>) {
    if range.isEmpty { return }
    switch node {
    case .leaf(let items):
      append(items, range)
    case .branch(let branch):
      if let segment = branch.segment { return append(segment, range) }
      var child = branch.child(holding: range.lowerBound)
      while child < branch.count {
        let low = branch.count(before: child)
        let high = branch.count(before: child &+ 1)
        if low >= range.upperBound { break }
        append(
          branch[child],
          max(range.lowerBound, low) &- low..<min(range.upperBound, high) &- low)
        child &+= 1
      }
    case .repetition(let repetition):
      append(repetition, range)
    }
  }

  private mutating func append(_ repetition: Repetition, _ range: Range<Int>) {
    let each = repetition.patternTotals.count
    let firstWhole = (range.lowerBound + each - 1) / each
    let lastWhole = range.upperBound / each
    guard firstWhole <= lastWhole else {
      let base = lastWhole * each
      return append(repetition.pattern, range.lowerBound - base..<range.upperBound - base)
    }
    append(repetition.pattern, each - (firstWhole * each - range.lowerBound)..<each)
    let origin = start
    var lap = firstWhole
    var isComplete = false
    while lap < lastWhole, !isComplete {
      isComplete = start - origin > bound
      append(repetition.pattern, 0..<each)
      lap += 1
    }
    append(repetition.pattern, 0..<range.upperBound - lastWhole * each)
  }

  private mutating func append(_ items: Leaf, _ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let full = PoolScan.append(
        items, &index, range.upperBound, (height, gap, bound), &start, &rings, &ends)
      if let full { enlarge(full) }
    }
  }

  /// Appends items up to `last`, or until a pool fills its ring buffer. Returns its kind then.
  private static func append(
    _ items: Leaf, _ index: inout Int, _ last: Int, _ rule: (height: Fine, gap: Fine, bound: Fine),
    _ start: inout Fine, _ rings: inout ContiguousArray<Ring>, _ ends: inout ContiguousArray<Fine>
  ) -> Int? {
    let items = items.span
    var rings = rings.mutableSpan
    var ends = ends.mutableSpan
    while index < last {
      let item = items[index]
      index &+= 1
      let low = start
      let end = low &+ rule.height &* Fine(item.aspect) &+ Fine(item.width) << 16
      start = end &+ rule.gap
      if item.isHidden { continue }
      let kind = item.kind
      let ring = rings[kind]
      ends[ring.base &+ ring.count & ring.mask] = end
      rings[kind].count = ring.count &+ 1
      if low &- ends[ring.base &+ (ring.count &- ring.pool) & ring.mask] < rule.bound {
        rings[kind].pool = ring.pool &+ 1
        if ring.pool == ring.mask { return kind }
      }
    }
    return nil
  }

  /// Doubles the ring buffer of a kind. The new one is at the end of `ends`.
  private mutating func enlarge(_ kind: Int) {
    let old = rings[kind]
    let base = ends.count
    ends.append(contentsOf: repeatElement(0, count: (old.mask + 1) * 2))
    for back in 1...old.mask + 1 {
      let number = old.count &- back
      if number < 0 { break }
      ends[base + number & (old.mask * 2 + 1)] = ends[old.base + number & old.mask]
    }
    rings[kind].base = base
    rings[kind].mask = old.mask * 2 + 1
  }
}
