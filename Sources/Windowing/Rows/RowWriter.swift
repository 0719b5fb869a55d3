/// Breaks items into justified rows, and packs rows into segments.
struct RowWriter {
  private let rule: RowRule
  /// The rows that are in no segment yet: the first `filled` of each array.
  private var counts = [UInt32](repeating: 0, count: 2 * RowSegment.capacity)
  private var heights = [UInt32](repeating: 0, count: 2 * RowSegment.capacity)
  private var filled = 0
  private var segments: [RowSegment] = []
  private var leadingHidden = 0

  init(_ rule: RowRule) { self.rule = rule }

  var isShort: Bool { segments.isEmpty && filled < RowSegment.capacity / 2 }

  mutating func keep(_ segment: RowSegment, _ rows: Range<Int>) {
    for row in rows {
      let (count, height) = segment.raw(row)
      append(count, height)
    }
  }

  private mutating func append(_ count: UInt32, _ height: UInt32) {
    if filled == counts.count { flush(RowSegment.capacity) }
    (counts[filled], heights[filled]) = (count, height)
    filled += 1
  }

  /// A row that is not finished.
  private struct Line {
    var start: Int
    /// ``RowSegment/headingBit`` if a heading is above it, else 0.
    var heading: UInt32
    var count = 0
    var visible = 0
    var aspects = 0
  }

  /// Appends the rows from `index`, where a row starts, to the first that starts at `end` or later.
  mutating func write(
    _ strip: Strip, _ runs: RunStarts, from index: Int, until end: Int
  ) -> Int {
    guard let root = strip.root else { return strip.count }
    var index = index
    while index < strip.count {
      let run = runs.run(holding: index)
      let runEnd = runs.end(of: run, count: strip.count)
      let hasHeading = index == runs.starts[run] && runs.isGroup(run)
      var line = Line(start: index, heading: hasHeading ? RowSegment.headingBit : 0)
      (line.count, leadingHidden) = (leadingHidden, 0)
      line.start -= line.count
      let isWhole = root.visit(index..<runEnd) { leaf, part in
        append(leaf, part, &line, until: end)
      }
      guard isWhole else { return line.start }
      if line.visible > 0 {
        append(UInt32(line.count), line.heading | UInt32(rule.height))
      } else if filled > 0 {
        counts[filled - 1] += UInt32(line.count)
      } else {
        leadingHidden = line.count
      }
      index = runEnd
      if index >= end { break }
    }
    return index
  }

  /// Adds a part of a leaf to rows. Returns false if a row starts at `end` or later.
  private mutating func append(
    _ leaf: Leaf, _ part: Range<Int>, _ line: inout Line, until end: Int
  ) -> Bool {
    var low = part.lowerBound
    while low < part.upperBound {
      // The arrays always have room for as many rows as the next items, because each item can be a row.
      if filled > RowSegment.capacity { flush(RowSegment.capacity) }
      let high = min(part.upperBound, low + RowSegment.capacity)
      let goesOn = Self.append(
        leaf.span.extracting(low..<high), rule, &line, until: end, &counts, &heights, &filled)
      guard goesOn else { return false }
      low = high
    }
    return true
  }

  /// Items fill a row when the sum of (aspect x target height + gap) reaches width + gap.
  private static func append(
    _ items: Span<PackedItem>, _ rule: RowRule, _ line: inout Line, until end: Int,
    _ counts: inout [UInt32], _ heights: inout [UInt32], _ filled: inout Int
  ) -> Bool {
    var rowCounts = counts.mutableSpan
    var rowHeights = heights.mutableSpan
    let (full, gap, height) = ((rule.width + rule.gap) << 16, rule.gap << 16, rule.height)
    var (visible, aspects) = (line.visible, line.aspects)
    var sum = aspects &* height &+ visible &* gap
    var start = -line.count  // of the row, among the items
    var row = filled
    var isBefore = true
    for index in items.indices {
      let item = items[index]
      if item.aspect == 0, item.isHidden { continue }
      let aspect = rule.aspect(of: item)
      visible &+= 1
      aspects &+= aspect
      sum &+= aspect &* height &+ gap
      if sum < full { continue }
      rowCounts[row] = UInt32(truncatingIfNeeded: index &+ 1 &- start)
      rowHeights[row] = line.heading | UInt32(rule.fullHeight(aspects, count: visible))
      row &+= 1
      line.start &+= index &+ 1 &- start
      line.heading = 0
      start = index &+ 1
      (visible, aspects, sum) = (0, 0, 0)
      if line.start >= end {
        isBefore = false
        break
      }
    }
    filled = row
    (line.count, line.visible, line.aspects) = (items.count - start, visible, aspects)
    return isBefore
  }

  private mutating func flush(_ count: Int) {
    segments.append(RowSegment(counts[..<count], heights[..<count]))
    for row in count..<filled {
      (counts[row - count], heights[row - count]) = (counts[row], heights[row])
    }
    filled -= count
  }

  /// All rows in segments: the last two hold half the remaining rows each if one would be too long.
  mutating func finish() -> [RowSegment] {
    if filled > RowSegment.capacity * 3 / 2 { flush(filled / 2) }
    if filled > 0 { flush(filled) }
    return segments
  }
}
