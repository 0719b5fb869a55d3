/// The pools of a list, a grid or rows, kept so that an edit scans only what is around it.
///
///     ├ segment ┼ segment ┼ segment ┼ segment ┤       about 1024 items each
///      kept      kept       scanned   scanned, and those after it are kept
///                   edit here ┘
///
/// For each kind, a segment stores the most items of all windows whose last row is in the segment.
///
/// - Complexity: O(*n*) to make. O(segments + items around the edit) after an edit; in a grid O(items
///   of the run), because an insertion moves all later items of its run to other columns. A segment
///   takes 8 bytes, and 4 for each kind.
struct RowPools: Sendable {
  private let limit: Int
  private var scans: [RowPoolSegments]
  private(set) var pools: Pools

  /// - Parameter poolLength: one of the ``SizeClasses``.
  init(_ rows: some VerticalLayout, poolLength: Length) {
    limit = poolLength.position - 2
    scans = rows.scanLimits(limit).map { RowPoolSegments(rows, limit: $0) }
    pools = Pools([])
    findPools(rows)
  }

  mutating func apply(_ change: ChangedRange, to rows: some VerticalLayout) {
    for k in scans.indices { scans[k].apply(change, to: rows) }
    findPools(rows)
  }

  /// Takes the result of the scans if all agree. If they differ, rounding matters (see `ListLayout`), and
  /// one exact pass over all rows computes the pools.
  private mutating func findPools(_ rows: some VerticalLayout) {
    let found = scans.map(\.pools)
    if let first = found.first, found.allSatisfy({ $0 == first }) {
      pools = first
    } else {
      pools = rows.exactPools(limit: limit)
    }
  }

  var cost: Int { 200 + scans.reduce(0) { $0 + $1.cost } }
}

private struct RowPoolSegments: Sendable {
  private let limit: Int
  private let kindCount: Int
  /// The first item of each segment.
  private var starts: [Int] = []
  /// The sizes of all kinds, for each segment.
  private var sizes: [UInt32] = []
  /// The greatest size in all segments, for each kind.
  private var maxima: [UInt32] = []

  init(_ rows: some VerticalLayout, limit: Int) {
    self.limit = limit
    kindCount = rows.strip.kindCount
    replace(0..<0, rows, 0..<rows.strip.count)
  }

  var cost: Int { 200 + 8 * starts.count + 4 * sizes.count }

  var pools: Pools { Pools(maxima.map(Int.init)) }

  /// The greatest size in some segments, for each kind.
  static func maxima(_ sizes: ArraySlice<UInt32>, _ kindCount: Int) -> [UInt32] {
    let sizes = sizes.span
    return (0..<kindCount).map { kind in
      var (maximum, index) = (UInt32(0), kind)
      while index < sizes.count {
        maximum = max(maximum, sizes[index])
        index += kindCount
      }
      return maximum
    }
  }

  mutating func apply(_ change: ChangedRange, to rows: some VerticalLayout) {
    if change.isEmpty { return }
    guard rows.strip.kindCount == kindCount else {
      self = RowPoolSegments(rows, limit: limit)
      return
    }
    let changed = max(0, starts.partitioningIndex { $0 >= change.new.lowerBound } - 1)
    let after = starts.partitioningIndex { $0 > change.old.upperBound }
    let first = changed < starts.count ? starts[changed] : 0
    for segment in after..<starts.count { starts[segment] += change.difference }
    // The first segment that begins with a row in both strips. All later rows are equal.
    let equal = (after..<starts.count).partitioningIndexNearStart { rows.startsRow(at: starts[$0]) }
    // The first of these that has no changed row before them in reach.
    var kept = equal
    if equal < starts.count {
      let settled = rows.hasOneItemPerRow ? change.new.upperBound : starts[equal]
      let reach = rows.top(of: settled) + rows.reach(ofLimit: limit)
      kept = (equal..<starts.count).partitioningIndexNearStart { rows.top(of: starts[$0]) > reach }
    }
    let end = kept < starts.count ? starts[kept] : rows.strip.count
    replace(changed..<kept, rows, first..<end)
  }

  /// Rows start at both ends of `range`.
  private mutating func replace(
    _ segments: Range<Int>, _ rows: some VerticalLayout, _ range: Range<Int>
  ) {
    var scan = RowScan(rows.strip, limit: limit)
    let start = range.lowerBound
    if start > 0 {
      let reach = rows.top(of: start) - rows.reach(ofLimit: limit) - 1
      rows.scan(from: rows.firstItem(endingAfter: reach), until: start, &scan)
    }
    if !range.isEmpty {
      scan.startSegment(at: start)
      rows.scan(from: start, until: range.upperBound, &scan)
    }
    let (newStarts, newSizes) = scan.finish()
    starts.replaceSubrange(segments, with: newStarts)
    let range = segments.lowerBound * kindCount..<segments.upperBound * kindCount
    let former = Self.maxima(sizes[range], kindCount)
    let new = Self.maxima(newSizes[...], kindCount)
    sizes.replaceSubrange(range, with: newSizes)
    // Reads all segments only if a greatest size may have become less.
    if maxima.isEmpty
      || (0..<kindCount).contains(where: { former[$0] == maxima[$0] && new[$0] < maxima[$0] })
    {
      maxima = Self.maxima(sizes[...], kindCount)
    } else {
      for kind in 0..<kindCount { maxima[kind] = max(maxima[kind], new[kind]) }
    }
  }
}

extension VerticalLayout {
  fileprivate func startsRow(at index: Int) -> Bool {
    firstRow(from: index)?.range.lowerBound == index
  }

  fileprivate func top(of index: Int) -> Int { firstRow(from: index)?.top ?? extent - inset }

  fileprivate func firstItem(endingAfter y: Int) -> Int {
    var found = strip.count
    forEachRow(endingAfter: y) { row in
      found = row.range.lowerBound
      return false
    }
    return found
  }

  /// The pools by one pass over all rows, without rounding errors.
  fileprivate func exactPools(limit: Int) -> Pools {
    var scan = RowScan(strip, limit: limit)
    scan.startSegment(at: 0)
    forEachRow(from: 0) { row in
      scan.append(row.range, row.top, row.bottom)
      return true
    }
    let sizes = scan.finish().sizes
    return Pools(RowPoolSegments.maxima(sizes[...], strip.kindCount).map(Int.init))
  }
}

/// One pass over rows that finds, for each kind, the most items in reach of a row, segment by segment.
struct RowScan {
  private static let blockLength = 1024

  private struct PlacedRow {
    let items: Range<Int>
    let top: Int
    let bottom: Int
  }

  private let limit: Int
  private let strip: Strip
  /// The kind of all items, if none is hidden.
  private let onlyKind: Int?
  /// The rows in reach of the last counted row, and the rows that are not counted yet.
  private var rows: ContiguousArray<PlacedRow> = []
  /// The first row in reach.
  private var first = 0
  private var counted = 0
  /// The kinds of items from `kindsStart` on; `hidden` for a hidden one.
  private var kinds: [UInt8] = []
  private var kindsStart = 0
  private let hidden: Int
  /// For each kind and for hidden items: the number in reach, and the greatest number so far in the segment.
  private var counts: [Int]
  private var sizes: [Int]
  private var segmentEnd = Int.max
  private var starts: [Int] = []
  private var segmentSizes: [UInt32] = []

  /// - Parameter limit: the reach: from the bottom of a row to the top of a later one.
  init(_ strip: Strip, limit: Int) {
    (self.strip, self.limit) = (strip, limit)
    onlyKind = strip.onlyKind
    hidden = strip.kindCount
    counts = [Int](repeating: 0, count: hidden + 1)
    sizes = counts
  }

  /// Appends the next row. Positions can wrap around at 2^64.
  @inline(__always)
  mutating func append(_ items: Range<Int>, _ top: Int, _ bottom: Int) {
    if items.lowerBound >= segmentEnd {
      endSegment()
      startSegment(at: items.lowerBound)
    }
    rows.append(PlacedRow(items: items, top: top, bottom: bottom))
  }

  /// Starts the segments at an item. Earlier rows are in reach only.
  mutating func startSegment(at index: Int) {
    countRows()
    for kind in sizes.indices { sizes[kind] = 0 }
    starts.append(index)
    segmentEnd = index + Self.blockLength
  }

  private mutating func endSegment() {
    countRows()
    for size in sizes[..<hidden] { segmentSizes.append(UInt32(size)) }
  }

  mutating func finish() -> (starts: [Int], sizes: [UInt32]) {
    if !starts.isEmpty { endSegment() }
    return (starts, segmentSizes)
  }

  private mutating func countRows() {
    if let kind = onlyKind {
      Self.count(rows, from: counted, limit, &first, &sizes[kind])
    } else {
      loadKinds()
      Self.count(rows, from: counted, limit, &first, kinds, kindsStart, &counts, &sizes)
    }
    counted = rows.count
    if first > counted / 2 {
      rows.removeFirst(first)
      (first, counted) = (0, rows.count)
    }
  }

  /// Counts items of one kind.
  private static func count(
    _ rows: ContiguousArray<PlacedRow>, from counted: Int, _ limit: Int, _ first: inout Int,
    _ size: inout Int
  ) {
    let rows = rows.span
    for index in counted..<rows.count {
      let row = rows[index]
      while row.top &- rows[first].bottom > limit { first &+= 1 }
      size = max(size, row.items.upperBound &- rows[first].items.lowerBound)
    }
  }

  private static func count(
    _ rows: ContiguousArray<PlacedRow>, from counted: Int, _ limit: Int, _ first: inout Int,
    _ kinds: [UInt8],
    _ kindsStart: Int, _ counts: inout [Int], _ sizes: inout [Int]
  ) {
    let kinds = kinds.span
    var counts = counts.mutableSpan
    var sizes = sizes.mutableSpan
    let rows = rows.span
    for index in counted..<rows.count {
      let row = rows[index]
      while row.top &- rows[first].bottom > limit {
        for item in rows[first].items { counts[Int(kinds[item &- kindsStart])] &-= 1 }
        first &+= 1
      }
      for item in row.items {
        let kind = Int(kinds[item &- kindsStart])
        let count = counts[kind] &+ 1
        counts[kind] = count
        if count > sizes[kind] { sizes[kind] = count }
      }
    }
  }

  private mutating func loadKinds() {
    guard first < rows.count, let end = rows.last?.items.upperBound else { return }
    let start = rows[first].items.lowerBound
    if kinds.isEmpty { kindsStart = start }
    let dead = min(kinds.count, start - kindsStart)
    if dead > kinds.count / 2 {
      kinds.removeFirst(dead)
      kindsStart += dead
    }
    let hidden = hidden
    strip.root?.visit(kindsStart + kinds.count..<end) { leaf, part in
      kinds.append(
        contentsOf: leaf[part].lazy.map { item in
          UInt8(truncatingIfNeeded: item.isHidden ? hidden : item.kind)
        })
      return true
    }
  }
}
