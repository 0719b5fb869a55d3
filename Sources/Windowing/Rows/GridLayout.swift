/// A grid: cells of equal size in columns. A group with a heading begins a new row, and so does a run
/// of items without a group.
///
/// Column c starts at floor(c x (width + gap) / columns), and ends a gap before the next one.
///
/// - Complexity: O(1) to make; O(1) for each query without headings and hidden items, else O(log *n*).
struct GridLayout: VerticalLayout {
  let strip: Strip
  let extent: Int
  let inset: Int
  private let columns: Int
  private let width: Int
  private let gap: Int
  private let cellHeight: Int
  private let heading: Int
  private let runs: RunStarts
  private let hidesItems: Bool
  private let rows: GridRows

  /// - Precondition: The columns are wider than 0.
  init(
    _ strip: Strip, runs: RunStarts, rows: GridRows, columns: Int, width: Length, cellHeight: Int,
    gap: Length, inset: Length, heading: Length
  ) {
    self.strip = strip
    self.runs = runs
    self.rows = rows
    hidesItems = strip.hidesItems
    self.columns = columns
    self.width = width.position
    self.cellHeight = cellHeight
    self.gap = gap.position
    self.inset = inset.position
    self.heading = heading.position
    let height =
      rows.rowsBefore[runs.count] * (cellHeight + self.gap)
      + runs.groupsBefore[runs.count] * self.heading
    extent = 2 * self.inset + (rows.ranks[runs.count] == 0 ? 0 : height - self.gap)
  }

  static func columns(ofAtLeast column: Length, in width: Length, gap: Length) -> Int {
    max(1, floorDivide((width + gap).position, by: max(1, (column + gap).position)))
  }

  static func firstColumn(of columns: Int, in width: Length, gap: Length) -> Int {
    (width + gap).position / columns - gap.position
  }

  private var pitch: Int { cellHeight + gap }

  private func top(of run: Int) -> Int {
    inset + rows.rowsBefore[run] * pitch + runs.groupsBefore[run + 1] * heading
  }

  private func rowCount(of run: Int) -> Int { rows.rowsBefore[run + 1] - rows.rowsBefore[run] }

  var uniformRows: UniformRows? {
    runs.count == 1 && !hidesItems
      ? UniformRows(items: columns, height: cellHeight, pitch: pitch) : nil
  }

  private func index(ofRank rank: Int) -> Int {
    hidesItems ? strip.root?.index(ofVisible: rank) ?? 0 : rank
  }

  /// The end of `count` visible items from `index` on.
  private func end(of count: Int, from index: Int) -> Int {
    guard hidesItems else { return index + count }
    var (end, rest) = (index, count)
    strip.root?.visit(index..<strip.count) { leaf, part in
      for item in leaf[part] {
        if rest == 0 { return false }
        end += 1
        rest -= item.visible
      }
      return true
    }
    return end
  }

  func forEachRow(endingAfter y: Int, _ body: (Row) -> Bool) {
    let run = (0..<runs.count).partitioningIndex { lastBottom(of: $0) > y }
    guard run < runs.count, rows.ranks[runs.count] > 0 else { return }
    let row = pitch == 0 ? 0 : max(0, (y - top(of: run) + gap) / pitch)
    forEachRow(run, row, body)
  }

  private func lastBottom(of run: Int) -> Int {
    top(of: run) + (rowCount(of: run) - 1) * pitch + cellHeight
  }

  func forEachRow(from index: Int, _ body: (Row) -> Bool) {
    let rank = hidesItems ? strip.visibleCount(before: index) : index
    guard rank < rows.ranks[runs.count] else { return }
    let run = rows.ranks.partitioningIndex { $0 > rank } - 1
    forEachRow(run, (rank - rows.ranks[run]) / columns, body)
  }

  private func forEachRow(_ run: Int, _ row: Int, _ body: (Row) -> Bool) {
    var row = row
    var start = index(ofRank: rows.ranks[run] + row * columns)
    for run in run..<runs.count {
      var top = top(of: run) + row * pitch
      while row < rowCount(of: run) {
        let count = min(columns, rows.ranks[run + 1] - rows.ranks[run] - row * columns)
        if hidesItems { start = strip.firstVisible(from: start) }
        let end = end(of: count, from: start)
        guard body(Row(range: start..<end, top: top, height: cellHeight)) else { return }
        start = end
        top += pitch
        row += 1
      }
      row = 0
    }
  }

  func appendFrames(of items: [PackedItem], in row: Row, to frames: inout [Frame]) {
    for column in items.indices {
      let x = column * (width + gap) / columns
      let end = (column + 1) * (width + gap) / columns - gap
      frames.append(Frame(x: Length(x), width: Length(end - x)))
    }
  }
}

/// The rows of the runs of a strip, in a number of columns.
struct GridRows: Sendable {
  /// The numbers of visible items and of rows before each run. The last element counts all runs.
  let ranks: [Int]
  let rowsBefore: [Int]

  /// - Complexity: O(runs); O(runs x log *n*) with hidden items.
  init(_ strip: Strip, _ runs: RunStarts, columns: Int) {
    let hidesItems = strip.hidesItems
    var (ranks, rowsBefore) = ([0], [0])
    for run in 0..<runs.count {
      let end = runs.end(of: run, count: strip.count)
      ranks.append(hidesItems ? strip.visibleCount(before: end) : end)
      rowsBefore.append(rowsBefore[run] + (ranks[run + 1] - ranks[run] + columns - 1) / columns)
    }
    self.ranks = ranks
    self.rowsBefore = rowsBefore
  }
}
