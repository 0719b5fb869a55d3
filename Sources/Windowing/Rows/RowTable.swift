/// Where the justified rows of a strip break, at one width: for each row its number of items and
/// its height.
///
///     ║ segment: about 512 rows ║ segment ║ segment ║ …      sums before each segment: items, height
///       │ counts   5 6 4 5 …
///       │ heights  ………………………   (bit 31: a heading is above the row)
///
/// Segments are immutable. After an edit, rows are broken again only from the change to a row that
/// starts where an old one did. All segments before and after are shared.
///
/// - Complexity: O(*n*) to make, O(changed rows + segments) after an edit, O(log segments + 512) for a
///   row. Six bytes for a row.
struct RowTable: Sendable {
  let rule: RowRule
  private var segments: [RowSegment] = []
  /// The items, and the height with gaps and headings, before each segment. The last element counts all segments.
  private var itemsBefore = [0]
  private var heightBefore = [0]

  /// The height of all rows, with the gap after each.
  var height: Int { heightBefore[segments.count] }

  private(set) var cost = 200

  init(_ strip: Strip, runs: RunStarts, _ rule: RowRule) {
    self.rule = rule
    var writer = RowWriter(rule)
    _ = writer.write(strip, runs, from: 0, until: strip.count)
    replace(0..<0, with: writer.finish())
  }

  mutating func apply(_ change: ChangedRange, to strip: Strip, runs: RunStarts) {
    if change.isEmpty { return }
    // Starts at the row before the change: it may have ended with a run that is now longer.
    let (first, row) = locate(max(0, change.new.lowerBound - 1))
    guard first < segments.count else {
      self = RowTable(strip, runs: runs, rule)
      return
    }
    var writer = RowWriter(rule)
    writer.keep(segments[first], 0..<row)
    var start = rowStart(first, row)
    var after = segments.count
    while true {
      let end = max(start + 1, change.new.upperBound)
      start = writer.write(strip, runs, from: start, until: end)
      if start == strip.count { break }
      let known = locate(start - change.difference)
      guard known.segment < segments.count,
        rowStart(known.segment, known.row) == start - change.difference
      else { continue }
      writer.keep(segments[known.segment], known.row..<segments[known.segment].rowCount)
      after = known.segment + 1
      break
    }
    if writer.isShort, after < segments.count {
      writer.keep(segments[after], 0..<segments[after].rowCount)
      after += 1
    }
    replace(first..<after, with: writer.finish())
  }

  private mutating func replace(_ range: Range<Int>, with new: [RowSegment]) {
    cost += new.reduce(0) { $0 + $1.cost } - segments[range].reduce(0) { $0 + $1.cost }
    var (items, heights) = ([itemsBefore[range.lowerBound]], [heightBefore[range.lowerBound]])
    for (k, segment) in new.enumerated() {
      items.append(items[k] + segment.items)
      heights.append(heights[k] + segment.height(rule))
    }
    let moreItems = items[new.count] - itemsBefore[range.upperBound]
    let moreHeight = heights[new.count] - heightBefore[range.upperBound]
    segments.replaceSubrange(range, with: new)
    itemsBefore.replaceSubrange(range.lowerBound...range.upperBound, with: items)
    heightBefore.replaceSubrange(range.lowerBound...range.upperBound, with: heights)
    for k in (range.lowerBound + new.count + 1)..<(segments.count + 1) {
      itemsBefore[k] += moreItems
      heightBefore[k] += moreHeight
    }
  }

  /// Past the end, the segment is the number of segments.
  private func locate(_ index: Int) -> (segment: Int, row: Int) {
    let segment = itemsBefore.partitioningIndex { $0 > index } - 1
    guard segment < segments.count else { return (segments.count, 0) }
    return (segment, segments[segment].row(holding: index - itemsBefore[segment]))
  }

  private func rowStart(_ segment: Int, _ row: Int) -> Int {
    itemsBefore[segment] + segments[segment].items(before: row)
  }

  func forEachRow(endingAfter y: Int, _ body: (Row) -> Bool) {
    // The heights before segments have the gap after the last row.
    let segment = max(0, heightBefore.partitioningIndex { $0 - rule.gap > y } - 1)
    forEachRow(segment, 0) { row in row.bottom <= y ? true : body(row) }
  }

  func forEachRow(from index: Int, visibleIn strip: Strip, _ body: (Row) -> Bool) {
    let first = locate(strip.firstVisible(from: index))
    forEachRow(first.segment, first.row, body)
  }

  // Inlined, so that `scan` needs no call for each row.
  @inline(__always)
  private func forEachRow(_ segment: Int, _ row: Int, _ body: (Row) -> Bool) {
    guard segment < segments.count else { return }
    var start = rowStart(segment, row)
    var top = heightBefore[segment] + segments[segment].height(rule, before: row)
    var first = row
    for segment in segments[segment...] {
      for row in first..<segment.rowCount {
        if segment.hasHeading(row) { top += rule.heading }
        let end = start + segment.count(row)
        let height = segment.height(row)
        guard body(Row(range: start..<end, top: top, height: height)) else { return }
        top += height + rule.gap
        start = end
      }
      first = 0
    }
  }

  /// Scans rows as ``VerticalLayout/scan(from:until:_:)`` does, without the inset.
  func scan(from index: Int, until end: Int, in strip: Strip, _ scan: inout RowScan) {
    let first = locate(strip.firstVisible(from: index))
    forEachRow(first.segment, first.row) { row in
      if row.range.lowerBound >= end { return false }
      scan.append(row.range, row.top, row.bottom)
      return true
    }
  }
}

/// The numbers of items and the heights of about 512 rows.
final class RowSegment: Sendable {
  static let capacity = 512
  private static let heightMask: UInt32 = 1 << 31 - 1
  /// Added to the height of a row below a heading.
  static let headingBit: UInt32 = 1 << 31

  /// The items of each row, with hidden ones. `largeCounts` is empty unless a row has more than 65,535
  /// items, which is rare. If it is not empty, `counts` is.
  private let counts: [UInt16]
  private let largeCounts: [UInt32]
  private let heights: [UInt32]
  let items: Int
  private let heightSum: Int
  private let headingCount: Int

  /// - Parameter heights: have the ``headingBit`` for rows with a heading.
  init(_ counts: ArraySlice<UInt32>, _ heights: ArraySlice<UInt32>) {
    let isSmall = counts.allSatisfy { $0 <= UInt16.max }
    self.counts = isSmall ? counts.map { UInt16(truncatingIfNeeded: $0) } : []
    largeCounts = isSmall ? [] : Array(counts)
    self.heights = Array(heights)
    items = counts.reduce(0) { $0 + Int($1) }
    heightSum = heights.reduce(0) { $0 + Int($1 & Self.heightMask) }
    headingCount = heights.reduce(0) { $0 + Int($1 >> 31) }
  }

  var rowCount: Int { heights.count }
  var cost: Int { 200 + 4 * heights.count + 2 * counts.count + 4 * largeCounts.count }

  func count(_ row: Int) -> Int { largeCounts.isEmpty ? Int(counts[row]) : Int(largeCounts[row]) }
  func height(_ row: Int) -> Int { Int(heights[row] & Self.heightMask) }
  func hasHeading(_ row: Int) -> Bool { heights[row] >= Self.headingBit }

  func raw(_ row: Int) -> (count: UInt32, height: UInt32) { (UInt32(count(row)), heights[row]) }

  func items(before row: Int) -> Int {
    largeCounts.isEmpty
      ? counts[..<row].reduce(0) { $0 + Int($1) } : largeCounts[..<row].reduce(0) { $0 + Int($1) }
  }

  func row(holding item: Int) -> Int {
    var (row, end) = (0, count(0))
    while end <= item {
      row += 1
      end += count(row)
    }
    return row
  }

  func height(_ rule: RowRule) -> Int {
    heightSum + rowCount * rule.gap + headingCount * rule.heading
  }

  func height(_ rule: RowRule, before row: Int) -> Int {
    heights[..<row].reduce(row * rule.gap) {
      $0 + Int($1 & Self.heightMask) + ($1 >= Self.headingBit ? rule.heading : 0)
    }
  }
}
