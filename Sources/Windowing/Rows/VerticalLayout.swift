/// A row of a layout: items side by side. Lengths are in 1/64 px.
struct Row: Sendable {
  /// The indices of its items. Hidden items between, before or after them can be in the range.
  var range: Range<Int>

  var top: Int

  var height: Int

  var bottom: Int { top + height }
}

/// Where an item stands in its row.
public struct Frame: Hashable, Sendable {
  /// The distance from the leading edge of the content.
  public let x: Length

  public let width: Length
}

/// Items in rows down a page: a list, a grid or justified rows. All lengths are in 1/64 px.
protocol VerticalLayout: Sendable {
  var strip: Strip { get }

  /// The tree that a window reads: its kinds and hidden items are those of the strip.
  var tree: Node? { get }

  /// The height of everything, with the insets.
  var extent: Int { get }

  var inset: Int { get }

  /// Calls `body` with the rows from the first that ends after `y`, until it returns false.
  func forEachRow(endingAfter y: Int, _ body: (Row) -> Bool)

  /// Calls `body` with the rows from that of the item at `index`, or of the next visible item, until it
  /// returns false.
  func forEachRow(from index: Int, _ body: (Row) -> Bool)

  /// Appends the rows from that of the item at `index` to the last that starts before `end`. The
  /// positions are in any unit.
  func scan(from index: Int, until end: Int, _ scan: inout RowScan)

  /// The limits of the scans for the pools of `limit`. All scans give the same pools, except where rounding
  /// matters.
  func scanLimits(_ limit: Int) -> [Int]

  /// The limit of a scan in 1/64 px, rounded up.
  func reach(ofLimit limit: Int) -> Int

  /// Whether an edit leaves the rows of all other items as they are.
  var hasOneItemPerRow: Bool { get }

  /// The measures of all rows if they are equally high, and there are no headings.
  var uniformRows: UniformRows? { get }

  func appendFrames(of items: [PackedItem], in row: Row, to frames: inout [Frame])
}

extension VerticalLayout {
  var fits: Bool { extent <= Length.maximum.position }

  func window(
    meeting span: Range<Length>, pools: Pools, limit: Int
  ) throws(WindowingError) -> Window {
    let maximum = Length.maximum
    guard fits, span.lowerBound >= -maximum, span.upperBound <= maximum else { throw .outOfRange }
    let (low, high) = (span.lowerBound.position, span.upperBound.position)
    var rows: [Row] = []
    var next: Row?
    var count = 0
    forEachRow(endingAfter: low) { row in
      if next == nil { next = row }
      guard row.top < high else { return false }
      if row.height > 0 { rows.append(row) }
      count = row.range.upperBound - (rows.first ?? row).range.lowerBound
      return count <= limit
    }
    if count > limit { throw .tooManyItems(count) }
    guard let first = rows.first else {
      let index = next.map { strip.firstVisible(from: $0.range.lowerBound) } ?? strip.count
      return Window(range: index..<index, items: [])
    }
    let (items, frames) = windowItems(of: rows, count, pools)
    guard let start = items.first?.index, let end = items.last?.index else {
      return Window(range: first.range.lowerBound..<first.range.lowerBound, items: [])
    }
    return Window(range: start..<end + 1, items: items, frames: frames)
  }

  /// The visible items of rows in order, at most `count`.
  private func windowItems(of rows: [Row], _ count: Int, _ pools: Pools) -> ([WindowItem], [Frame])
  {
    var (items, frames): ([WindowItem], [Frame]) = ([], [])
    items.reserveCapacity(count)
    frames.reserveCapacity(count)
    guard let tree else { return ([], []) }
    var visible: [PackedItem] = []  // in the row
    var (number, row) = (0, rows[0])
    var index = row.range.lowerBound
    let end = rows[rows.count - 1].range.upperBound
    var ranks: Ranks? = Ranks(kinds: tree.kindCount)
    _ = tree.cursor(at: index, ranks: &ranks)
    var slots = SlotCounter(tree, &ranks, pools)
    tree.visit(index..<end) { leaf, part in
      for item in leaf[part] {
        if index >= row.range.upperBound {
          appendFrames(of: visible, in: row, to: &frames)
          visible.removeAll(keepingCapacity: true)
          number += 1
          row = rows[number]
        }
        if !item.isHidden {
          let slot = slots.next(of: item.kind)
          // Rows without height are left out.
          if index >= row.range.lowerBound {
            visible.append(item)
            items.append(
              WindowItem(
                index: index, slot: slot, start: Length(row.top), size: Length(row.height)))
          }
        }
        index += 1
      }
      return true
    }
    appendFrames(of: visible, in: row, to: &frames)
    return (items, frames)
  }

  /// Both are the start of the next row if the item is hidden.
  func bounds(of index: Int) throws(WindowingError) -> (start: Int, end: Int) {
    guard index >= 0, index < strip.count else { throw .noItem(at: index) }
    guard fits else { throw .outOfRange }
    guard let row = firstRow(from: index) else { return (extent - inset, extent - inset) }
    return (row.top, strip[index].size.isHidden ? row.top : row.bottom)
  }

  func firstRow(from index: Int) -> Row? {
    var found: Row?
    forEachRow(from: index) { row in
      found = row
      return false
    }
    return found
  }

  func group(at index: Int) -> PlacedGroup? {
    strip.groupRun(at: index).map { run in
      let start = (try? bounds(of: run.range.lowerBound).start) ?? 0
      return PlacedGroup(
        title: run.title, first: run.range.lowerBound, end: run.range.upperBound,
        start: Length(start))
    }
  }

  /// The pools of a length of the page: for each kind, the most items in rows i ... j with (top of
  /// row j) - (end of row i) at most that length, rounded up to one of the ``SizeClasses``, less 2/64 px.
  ///
  /// - Complexity: O(*n*), one pass.
  func pools(poolLength: Length) -> Pools {
    let poolLength = SizeClasses.roundedUp(poolLength)
    return simplePools(poolLength: poolLength) ?? RowPools(self, poolLength: poolLength).pools
  }

  /// The pools of one of the ``SizeClasses``. Nil if they need a scan. O(1).
  func simplePools(poolLength: Length) -> Pools? {
    let limit = poolLength.position - 2
    var sizes = (0..<strip.kindCount).map { strip.root?.count(ofKind: $0) ?? 0 }
    if limit < extent {
      guard let kind = strip.onlyKind, let rows = uniformRows else { return nil }
      if rows.pitch > 0 {
        let count = (limit + rows.height) / rows.pitch + 1
        sizes[kind] = min(sizes[kind], rows.items * count)
      }
    }
    return Pools(sizes)
  }

  func scan(from index: Int, until end: Int, _ scan: inout RowScan) {
    forEachRow(from: index) { row in
      if row.range.lowerBound >= end { return false }
      scan.append(row.range, row.top, row.bottom)
      return true
    }
  }

  var tree: Node? { strip.root }
  func scanLimits(_ limit: Int) -> [Int] { [limit] }
  func reach(ofLimit limit: Int) -> Int { limit }
  var hasOneItemPerRow: Bool { false }
  var uniformRows: UniformRows? { nil }
}

/// Rows of equal height, all of them full but the last.
struct UniformRows {
  /// The number of items of a full row.
  let items: Int
  let height: Int
  /// The distance of two tops.
  let pitch: Int
}
