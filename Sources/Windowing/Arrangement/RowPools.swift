/// The pools of a list, a grid or rows, kept so that an edit scans only what is around it.
///
///     ├─ block ─┼─ block ─┼─ block ─┼─ block ─┤       about 2048 items each
///      kept      kept       scanned   scanned, and those after it are kept
///                   edit here ┘
///
/// The sizes of a block are, for each kind, the most items in reach of one of its rows: in that row
/// and the rows before it. They depend on the block and on the rows in reach before it.
///
/// - Complexity: O(*n*) to make. O(blocks + items around the edit) after an edit; in a grid O(items
///   of the run), because an insertion moves all later items of its run to other columns. A block
///   takes 8 bytes, and 4 for each kind.
struct RowPools: Sendable {
  private let limit: Int
  private var scans: [RowBlocks]
  private(set) var pools: Pools

  /// - Parameter stretch: a step of the ``Ladder``.
  init(_ rows: some RowArrangement, stretch: Length) {
    limit = stretch.position - 2
    scans = rows.scanLimits(limit).map { RowBlocks(rows, limit: $0) }
    pools = Pools([])
    findPools(rows)
  }

  /// Follows an edit of the strip.
  mutating func follow(_ change: ChangedRange, to rows: some RowArrangement) {
    for k in scans.indices { scans[k].follow(change, to: rows) }
    findPools(rows)
  }

  /// Takes the common result of all scans. If they differ, rounding decides: see `ListLayout`.
  private mutating func findPools(_ rows: some RowArrangement) {
    let found = scans.map(\.pools)
    if let first = found.first, found.allSatisfy({ $0 == first }) {
      pools = first
    } else {
      pools = rows.exactPools(limit: limit)
    }
  }

  var cost: Int { 200 + scans.reduce(0) { $0 + $1.cost } }
}

/// The blocks of one limit.
private struct RowBlocks: Sendable {
  private static let length = 2048

  private let limit: Int
  private let kindCount: Int
  /// The number of items of each block.
  private var counts: [Int] = []
  /// The sizes of all kinds, for each block.
  private var sizes: [UInt32] = []

  init(_ rows: some RowArrangement, limit: Int) {
    self.limit = limit
    kindCount = rows.strip.kindCount
    replace(0..<0, rows, 0..<rows.strip.count)
  }

  var cost: Int { 200 + 8 * counts.count + 4 * sizes.count }

  var pools: Pools {
    var pools = [Int](repeating: 0, count: kindCount)
    for block in counts.indices {
      for kind in 0..<kindCount {
        pools[kind] = max(pools[kind], Int(sizes[block * kindCount + kind]))
      }
    }
    return Pools(pools)
  }

  mutating func follow(_ change: ChangedRange, to rows: some RowArrangement) {
    if change.isEmpty { return }
    guard rows.strip.kindCount == kindCount else {
      self = RowBlocks(rows, limit: limit)
      return
    }
    var starts: [Int] = []  // before the edit
    starts.reserveCapacity(counts.count)
    var start = 0
    for count in counts {
      starts.append(start)
      start += count
    }
    let changed = max(0, starts.partitioningIndex { $0 >= change.new.lowerBound } - 1)
    // The first block after the edit that begins with a row in both strips. All later rows are equal.
    let equal = (changed..<counts.count).partitioningIndex {
      starts[$0] > change.old.upperBound && rows.startsRow(at: starts[$0] + change.difference)
    }
    // The first of these that has no row before them in reach.
    var kept = equal
    if equal < counts.count {
      let reach = rows.top(of: starts[equal] + change.difference) + rows.reach(ofLimit: limit)
      kept = (equal..<counts.count).partitioningIndex {
        rows.top(of: starts[$0] + change.difference) > reach
      }
    }
    let first = changed < counts.count ? starts[changed] : 0
    let end = kept < counts.count ? starts[kept] + change.difference : rows.strip.count
    replace(changed..<kept, rows, first..<end)
  }

  /// Replaces blocks by those of a range of items, where rows start.
  private mutating func replace(
    _ blocks: Range<Int>, _ rows: some RowArrangement, _ range: Range<Int>
  ) {
    var (newCounts, newSizes): ([Int], [UInt32]) = ([], [])
    var scan = RowScan(rows.strip, limit: limit)
    var start = range.lowerBound
    if start > 0 {
      let reach = rows.top(of: start) - rows.reach(ofLimit: limit) - 1
      _ = rows.scan(from: rows.firstItem(endingAfter: reach), until: start, &scan)
      _ = scan.takeSizes()
    }
    while start < range.upperBound {
      let next = rows.scan(
        from: start, until: min(start + Self.length, range.upperBound), &scan)
      newCounts.append(next - start)
      for size in scan.takeSizes() { newSizes.append(UInt32(size)) }
      start = next
    }
    counts.replaceSubrange(blocks, with: newCounts)
    sizes.replaceSubrange(
      blocks.lowerBound * kindCount..<blocks.upperBound * kindCount, with: newSizes)
  }
}

extension RowArrangement {
  /// Whether a row starts with the item at `index`.
  fileprivate func startsRow(at index: Int) -> Bool {
    firstRow(from: index)?.range.lowerBound == index
  }

  /// The top of the row of an item, or of the next visible one.
  fileprivate func top(of index: Int) -> Int { firstRow(from: index)?.top ?? extent - inset }

  private func firstRow(from index: Int) -> Row? {
    var found: Row?
    forEachRow(from: index) { row in
      found = row
      return false
    }
    return found
  }

  fileprivate func firstItem(endingAfter y: Int) -> Int {
    var found = strip.count
    forEachRow(endingAfter: y) { row in
      found = row.range.lowerBound
      return false
    }
    return found
  }

  /// The pools of the law itself, in one pass over all rows.
  fileprivate func exactPools(limit: Int) -> Pools {
    var scan = RowScan(strip, limit: limit)
    forEachRow(from: 0) { row in
      scan.append(row.range, row.top, row.bottom)
      return true
    }
    return Pools(scan.takeSizes())
  }
}

/// One pass over rows that finds, for each kind, the most items in reach of a row.
struct RowScan {
  /// The rows in reach of the last one, in a ring buffer.
  private var rows = ContiguousArray(repeating: Placed(items: 0..<0, bottom: 0), count: 64)
  private var first = 0
  private var end = 0
  private let limit: Int
  private let strip: Strip
  /// The kind of all items, if none is hidden.
  private let onlyKind: Int?
  private static let hidden = UInt8.max
  /// The kinds of items from `kindsStart` on, or `hidden`.
  private var kinds: [UInt8] = []
  private var kindsStart = 0
  /// For each kind, the items in `rows`, and the most so far.
  private var counts: [Int]
  private var sizes: [Int]

  private struct Placed {
    let items: Range<Int>
    let bottom: Int
  }

  /// - Parameter limit: the reach: from the bottom of a row to the top of a later one.
  init(_ strip: Strip, limit: Int) {
    (self.strip, self.limit) = (strip, limit)
    onlyKind = strip.onlyKind
    counts = [Int](repeating: 0, count: strip.kindCount)
    sizes = counts
  }

  /// The sizes of the rows since the last call.
  mutating func takeSizes() -> [Int] {
    defer { for kind in sizes.indices { sizes[kind] = 0 } }
    return sizes
  }

  /// Appends the next row. Positions can wrap around at 2^64.
  @inline(__always)
  mutating func append(_ items: Range<Int>, _ top: Int, _ bottom: Int) {
    let mask = rows.count &- 1
    while first < end, top &- rows[first & mask].bottom > limit { removeFirst() }
    if end &- first > mask { enlarge() }
    rows[end & (rows.count &- 1)] = Placed(items: items, bottom: bottom)
    end &+= 1
    if let kind = onlyKind {
      let start = rows[first & (rows.count &- 1)].items.lowerBound
      sizes[kind] = max(sizes[kind], items.upperBound &- start)
    } else {
      count(items)
    }
  }

  @inline(__always)
  private mutating func removeFirst() {
    let items = rows[first & (rows.count &- 1)].items
    first &+= 1
    guard onlyKind == nil else { return }
    for index in items {
      let kind = kinds[index &- kindsStart]
      if kind != Self.hidden { counts[Int(kind)] -= 1 }
    }
  }

  private mutating func count(_ items: Range<Int>) {
    if items.upperBound > kindsStart + kinds.count { loadKinds(to: items.upperBound) }
    for index in items {
      let kind = kinds[index &- kindsStart]
      if kind == Self.hidden { continue }
      counts[Int(kind)] += 1
      sizes[Int(kind)] = max(sizes[Int(kind)], counts[Int(kind)])
    }
  }

  /// Reads the kinds of some more items, and drops those of items that are out of reach.
  private mutating func loadKinds(to end: Int) {
    let start = rows[first & (rows.count - 1)].items.lowerBound
    kinds.removeFirst(min(kinds.count, start - kindsStart))
    kindsStart = start
    let loaded = start + kinds.count
    strip.root?.visit(loaded..<min(strip.count, max(end, loaded + 4096))) { leaf, part in
      for item in leaf[part] { kinds.append(item.isHidden ? Self.hidden : UInt8(item.kind)) }
      return true
    }
  }

  private mutating func enlarge() {
    let old = rows
    rows += old
    for number in first..<end { rows[number & (rows.count - 1)] = old[number & (old.count - 1)] }
  }
}
