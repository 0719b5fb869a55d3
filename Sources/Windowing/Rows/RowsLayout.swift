/// Justified rows: items side by side at one height, so that each full row is as wide as the
/// content.
///
/// Items join a row until it reaches the width at the target height. Its height then becomes
///
///     floor((width - (items - 1) x gap) x 65536 / aspects)
///
/// The last row of a strip, or of a run if groups have headings, can be shorter. It has the target
/// height.
///
/// - Complexity: O(log *n*) for each query.
struct RowsLayout: VerticalLayout {
  let strip: Strip
  let table: RowTable
  let extent: Int
  let inset: Int

  init(_ strip: Strip, _ table: RowTable, inset: Length) {
    self.strip = strip
    self.table = table
    self.inset = inset.position
    extent = 2 * inset.position + max(0, table.height - table.rule.gap)
  }

  func forEachRow(endingAfter y: Int, _ body: (Row) -> Bool) {
    table.forEachRow(endingAfter: y - inset) { body(moved($0)) }
  }

  func forEachRow(from index: Int, _ body: (Row) -> Bool) {
    table.forEachRow(from: index, visibleIn: strip) { body(moved($0)) }
  }

  func scan(from index: Int, until end: Int, _ scan: inout RowScan) {
    table.scan(from: index, until: end, in: strip, &scan)
  }

  private func moved(_ row: Row) -> Row {
    Row(range: row.range, top: row.top + inset, height: row.height)
  }

  func appendFrames(of items: [PackedItem], in row: Row, to frames: inout [Frame]) {
    let rule = table.rule
    let sum = items.reduce(0) { $0 + rule.aspect(of: $1) }
    let isFull = rule.isFull(sum, count: items.count)
    var (before, x) = (0, 0)
    for (k, item) in items.enumerated() {
      before += rule.aspect(of: item)
      let next = ((row.height * before) >> 16) + (k + 1) * rule.gap
      let end = isFull && k == items.count - 1 ? rule.width : next - rule.gap
      frames.append(Frame(x: Length(x), width: Length(max(0, end - x))))
      x = next
    }
  }
}

/// The parameters that decide where justified rows break. Lengths are in 1/64 px.
struct RowRule: Hashable, Sendable {
  let width: Int
  /// The target height of a row.
  let height: Int
  let gap: Int
  /// The space above the first row of a group.
  let heading: Int
  /// The aspect of items without one, in 1/65536.
  let cell: Int

  /// An item's aspect for breaking and drawing: 0.2 ... 5, in 1/65536.
  @inline(__always)
  func aspect(of item: PackedItem) -> Int {
    min(max(item.aspect == 0 ? cell : item.aspect, 13_107), 327_680)
  }

  @inline(__always)
  func isFull(_ aspects: Int, count: Int) -> Bool {
    aspects &* height >= (width &- (count &- 1) &* gap) << 16
  }

  @inline(__always)
  func fullHeight(_ aspects: Int, count: Int) -> Int {
    max(0, width &- (count &- 1) &* gap) << 16 / aspects
  }
}
