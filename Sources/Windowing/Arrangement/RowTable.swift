/// Where the justified rows of a strip break, at one width: for each row its number of items and
/// its height.
///
///     ║ chunk: about 512 rows ║ chunk ║ chunk ║ …      sums before each chunk: items, height
///       │ counts   5 6 4 5 …
///       │ heights  ………………………   (bit 31: a heading is above the row)
///
/// Chunks are immutable. After an edit, rows are broken again only from the change to a row that
/// starts where an old one did. All chunks before and after are shared.
///
/// - Complexity: O(*n*) to make, O(changed rows + chunks) after an edit, O(log chunks + 512) for a
///   row. Six bytes for a row.
struct RowTable: Sendable {
  let rule: RowRule
  private let chunks: [RowChunk]
  /// The number of items, and the height with gaps and headings, before each chunk and of all
  /// chunks.
  private let itemsBefore: [Int]
  private let heightBefore: [Int]

  /// The height of all rows, each with the gap after it.
  var height: Int { heightBefore[chunks.count] }

  /// The bytes of the table.
  let cost: Int

  /// Breaks the rows of a strip.
  init(_ strip: Strip, runs: RunStarts, _ rule: RowRule) {
    var writer = RowWriter(rule)
    writer.write(strip, runs, from: 0) { _ in true }
    self.init(rule, writer.finish())
  }

  private init(_ rule: RowRule, _ chunks: [RowChunk]) {
    self.rule = rule
    self.chunks = chunks
    var (items, height) = ([0], [0])
    items.reserveCapacity(chunks.count + 1)
    height.reserveCapacity(chunks.count + 1)
    for (k, chunk) in chunks.enumerated() {
      items.append(items[k] + chunk.items)
      height.append(height[k] + chunk.height(rule))
    }
    (itemsBefore, heightBefore) = (items, height)
    cost = chunks.reduce(64) { $0 + $1.cost + 24 }
  }

  /// The table of a strip that an edit made from the strip of this table.
  ///
  /// - Parameter change: what the edit changed, in both strips, with changes of the runs.
  func following(_ change: ChangedRange, to strip: Strip, runs: RunStarts) -> RowTable {
    if change.old.isEmpty && change.new.isEmpty { return self }
    // The row before the change can have ended where a run ended that does not end there now.
    let (first, row) = locate(max(0, change.new.lowerBound - 1))
    guard first < chunks.count else { return RowTable(strip, runs: runs, rule) }
    var writer = RowWriter(rule)
    var index = itemsBefore[first]
    for kept in 0..<row {
      writer.keep(chunks[first], kept)
      index += chunks[first].count(kept)
    }
    let difference = change.new.count - change.old.count
    var resume: (chunk: Int, row: Int)?
    writer.write(strip, runs, from: index) { start in
      guard start >= change.new.upperBound else { return true }
      let place = locate(start - difference)
      guard place.chunk < chunks.count,
        itemsBefore[place.chunk] + chunks[place.chunk].items(before: place.row) == start
          - difference
      else { return true }
      resume = place
      return false
    }
    var after = chunks.count
    if let resume {
      for row in resume.row..<chunks[resume.chunk].rowCount {
        writer.keep(chunks[resume.chunk], row)
      }
      after = resume.chunk + 1
    }
    if writer.rowCount < RowChunk.capacity / 2, after < chunks.count {
      for row in 0..<chunks[after].rowCount { writer.keep(chunks[after], row) }
      after += 1
    }
    return RowTable(rule, chunks[..<first] + writer.finish() + chunks[after...])
  }

  /// The chunk and the row of the item at `index`. Past the end, the chunk is the number of chunks.
  private func locate(_ index: Int) -> (chunk: Int, row: Int) {
    let chunk = itemsBefore.partitioningIndex { $0 > index } - 1
    guard chunk < chunks.count else { return (chunks.count, 0) }
    var (row, end) = (0, itemsBefore[chunk] + chunks[chunk].count(0))
    while end <= index {
      row += 1
      end += chunks[chunk].count(row)
    }
    return (chunk, row)
  }

  func forEachRow(endingAfter y: Int, _ body: (Row) -> Bool) {
    // The heights before chunks have the gap after the last row.
    let chunk = max(0, heightBefore.partitioningIndex { $0 - rule.gap > y } - 1)
    forEachRow(chunk, 0) { row in row.bottom <= y ? true : body(row) }
  }

  /// Rows from that of the item at `index`, or of the next visible item.
  func forEachRow(from index: Int, visibleIn strip: Strip, _ body: (Row) -> Bool) {
    let place = locate(strip.firstVisible(from: index))
    forEachRow(place.chunk, place.row, body)
  }

  private func forEachRow(_ chunk: Int, _ row: Int, _ body: (Row) -> Bool) {
    guard chunk < chunks.count else { return }
    var index = itemsBefore[chunk] + chunks[chunk].items(before: row)
    var top = heightBefore[chunk] + chunks[chunk].height(rule, before: row)
    var first = row
    for chunk in chunks[chunk...] {
      for row in first..<chunk.rowCount {
        if chunk.hasHeading(row) { top += rule.heading }
        let end = index + chunk.count(row)
        let height = chunk.height(row)
        guard body(Row(range: index..<end, top: top, height: height)) else { return }
        top += height + rule.gap
        index = end
      }
      first = 0
    }
  }
}

/// The numbers of items and the heights of about 512 rows.
private final class RowChunk: Sendable {
  static let capacity = 512

  /// The number of items in each row, with hidden ones. One of the arrays is empty: rows with more
  /// than 65,535 items are rare.
  private let counts: [UInt16]
  private let largeCounts: [UInt32]
  private let heights: [UInt32]
  let items: Int
  private let heightSum: Int
  private let headingCount: Int

  init(_ counts: ArraySlice<UInt32>, _ heights: ArraySlice<UInt32>) {
    let isSmall = counts.allSatisfy { $0 <= UInt16.max }
    self.counts = isSmall ? counts.map { UInt16($0) } : []
    largeCounts = isSmall ? [] : Array(counts)
    self.heights = Array(heights)
    items = counts.reduce(0) { $0 + Int($1) }
    heightSum = heights.reduce(0) { $0 + Int($1 & RowWriter.heightMask) }
    headingCount = heights.reduce(0) { $0 + ($1 > RowWriter.heightMask ? 1 : 0) }
  }

  var rowCount: Int { heights.count }
  var cost: Int { 160 + 4 * heights.count + 2 * counts.count + 4 * largeCounts.count }

  func count(_ row: Int) -> Int { largeCounts.isEmpty ? Int(counts[row]) : Int(largeCounts[row]) }
  func height(_ row: Int) -> Int { Int(heights[row] & RowWriter.heightMask) }
  func hasHeading(_ row: Int) -> Bool { heights[row] > RowWriter.heightMask }

  /// A row as it was written.
  func raw(_ row: Int) -> (count: UInt32, height: UInt32) { (UInt32(count(row)), heights[row]) }

  func items(before row: Int) -> Int { (0..<row).reduce(0) { $0 + count($1) } }

  /// The height of all rows, with the gap after each one and the headings.
  func height(_ rule: RowRule) -> Int {
    heightSum + rowCount * rule.gap + headingCount * rule.heading
  }

  func height(_ rule: RowRule, before row: Int) -> Int {
    var sum = 0
    for height in heights[..<row] {
      sum += Int(height & RowWriter.heightMask) + rule.gap
      if height > RowWriter.heightMask { sum += rule.heading }
    }
    return sum
  }
}

/// Breaks items into rows, and packs rows into chunks.
private struct RowWriter {
  static let heightMask: UInt32 = 1 << 31 - 1

  private let rule: RowRule
  private var counts: [UInt32] = []
  private var heights: [UInt32] = []

  init(_ rule: RowRule) { self.rule = rule }

  var rowCount: Int { counts.count }

  /// Appends a row of a chunk.
  mutating func keep(_ chunk: RowChunk, _ row: Int) {
    let (count, height) = chunk.raw(row)
    counts.append(count)
    heights.append(height)
  }

  /// Breaks the items from `index` on, where a row starts. Asks `goesOn` before each row but the
  /// first.
  mutating func write(
    _ strip: Strip, _ runs: RunStarts, from index: Int, _ goesOn: (Int) -> Bool
  ) {
    guard let root = strip.root, index < strip.count else { return }
    var run = runs.run(holding: index)
    var first = index  // of the row
    var isFirstOfRun = index == runs.starts[run]
    var start = index
    while start < strip.count {
      let end = runs.end(of: run, count: strip.count)
      var line = Line()
      var stopped = false
      root.visit(start..<end) { leaf, part in
        stopped = !append(
          leaf, part, &line, &first, heading: isFirstOfRun && runs.isGroup(run),
          isFirst: &isFirstOfRun, goesOn)
        return !stopped
      }
      if stopped { return }
      if line.visible > 0 {
        finish(line, at: rule.height, heading: isFirstOfRun && runs.isGroup(run))
        first += line.count
      } else if line.count > 0 {
        addHidden(line.count)
        first += line.count
      }
      start = end
      run += 1
      isFirstOfRun = true
      if start < strip.count, !goesOn(start) { return }
    }
  }

  /// A row that is not finished.
  private struct Line {
    var count = 0
    var visible = 0
    var aspects = 0
  }

  /// Appends the items of a leaf. Returns false if `goesOn` did.
  private mutating func append(
    _ leaf: Leaf, _ part: Range<Int>, _ line: inout Line, _ first: inout Int, heading: Bool,
    isFirst: inout Bool, _ goesOn: (Int) -> Bool
  ) -> Bool {
    let items = leaf.span
    var (count, visible, aspects) = (line.count, line.visible, line.aspects)
    var hasHeading = heading
    for index in part {
      let item = items[index]
      count &+= 1
      if item.isHidden { continue }
      visible &+= 1
      aspects &+= rule.aspect(of: item)
      guard rule.isFull(aspects, count: visible) else { continue }
      counts.append(UInt32(count))
      let height = UInt32(rule.fullHeight(aspects, count: visible))
      heights.append(hasHeading ? height | ~Self.heightMask : height)
      first += count
      (count, visible, aspects) = (0, 0, 0)
      hasHeading = false
      isFirst = false
      if !goesOn(first) { return false }
    }
    line = Line(count: count, visible: visible, aspects: aspects)
    return true
  }

  private mutating func finish(_ line: Line, at height: Int, heading: Bool) {
    counts.append(UInt32(line.count))
    heights.append(heading ? UInt32(height) | ~Self.heightMask : UInt32(height))
  }

  /// Adds hidden items after the last row to this row; before the first row, to none.
  private mutating func addHidden(_ count: Int) {
    if counts.isEmpty { pendingHidden += count } else { counts[counts.count - 1] += UInt32(count) }
  }

  /// Hidden items before the first row.
  private var pendingHidden = 0

  /// The rows in chunks of nearly equal size, about ``RowChunk/capacity`` rows each.
  mutating func finish() -> [RowChunk] {
    guard !counts.isEmpty else { return [] }
    counts[0] += UInt32(pendingHidden)
    let parts = max(1, (counts.count + RowChunk.capacity / 2) / RowChunk.capacity)
    return (0..<parts).map { part in
      let range = counts.count * part / parts..<counts.count * (part + 1) / parts
      return RowChunk(counts[range], heights[range])
    }
  }
}
