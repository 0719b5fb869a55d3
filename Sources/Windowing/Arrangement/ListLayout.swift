/// A list: one item a line, as wide as the content.
///
/// An item with aspect a counts r = floor(2^32 / a + 1/2), its inverse in 1/65536, and the caption.
/// Another one counts the item height. The top of line i is
///
///     inset + floor(width x inverses / 65536) + captions + item heights + headings + i x gap
///
/// with the sums over the visible items before i. One tree of sums therefore serves every width.
///
/// - Complexity: O(log *n*) for each query. With headings, O(log runs x log *n*).
struct ListLayout: RowArrangement {
  let strip: Strip
  let extent: Int
  let inset: Int
  let tree: Node?
  private let lines: MappedItems
  private let runs: RunStarts?
  private let heading: Int
  private let gap: Int
  private let width: Int
  private let scale: Scale

  /// - Parameter runs: the runs of the strip, if groups have headings.
  init(
    _ strip: Strip, _ lines: MappedItems, runs: RunStarts?, width: Length, gap: Length,
    inset: Length, heading: Length
  ) {
    self.strip = strip
    self.lines = lines
    self.runs = runs
    self.heading = heading.position
    self.gap = gap.position
    self.inset = inset.position
    self.width = width.position
    let scale = Scale(height: width, gap: .zero)
    self.scale = scale
    // A line without any height is as a hidden one.
    tree = lines.root?.visibleCount == strip.visibleCount ? lines.root : strip.root
    let end = lines.root.map { scale.position($0.totals) } ?? 0
    let headings = (runs?.groupsBefore.last ?? 0) * heading.position
    extent = 2 * inset.position + (end > 0 ? end - gap.position + headings : 0)
  }

  /// The lengths of the lines. They hold for every width.
  static func lines(
    of strip: Strip, itemHeight: Length, caption: Length, gap: Length, reusing old: MappedItems?
  ) -> MappedItems {
    let fixed = UInt64(itemHeight.units + gap.units)
    let captioned = UInt64(caption.units + gap.units)
    return MappedItems(strip, reusing: old) { item in
      if item.isHidden { return item }
      let kind = UInt64(item.kind) << 56
      guard item.aspect > 0 else { return PackedItem(bits: kind | fixed << 32) }
      let inverse = min(UInt64(UInt32.max), ((1 << 33) / UInt64(item.aspect) + 1) / 2)
      return PackedItem(bits: kind | captioned << 32 | inverse)
    }
  }

  func forEachRow(endingAfter y: Int, _ body: (Row) -> Bool) {
    guard let root = lines.root else { return }
    let target = y - inset + gap
    guard let runs else {
      if let found = root.firstItem(endingAfter: target, at: scale) { forEachRow(found, body) }
      return
    }
    // The first run whose last line ends after y.
    let run = (0..<runs.count).partitioningIndex { run in
      let end = runs.end(of: run, count: strip.count)
      return scale.position(root.totals(before: end)) + heading * runs.groupsBefore[run + 1]
        > target
    }
    guard run < runs.count else { return }
    let found = root.firstItem(
      endingAfter: target - heading * runs.groupsBefore[run + 1], at: scale)
    if let found, found.before.count >= runs.starts[run] {
      forEachRow(found, body)
    } else {
      forEachRow(from: runs.starts[run], body)
    }
  }

  func forEachRow(from index: Int, _ body: (Row) -> Bool) {
    if let root = lines.root { forEachRow(root.cursor(at: index), body) }
  }

  private func forEachRow(_ cursor: LeafCursor, _ body: (Row) -> Bool) {
    var totals = cursor.before
    var start = scale.position(totals)
    var run = runs.map { $0.run(holding: totals.count) } ?? 0
    func visit(_ leaf: Leaf, _ part: Range<Int>) -> Bool {
      for item in leaf[part] {
        let index = totals.count
        totals.add(item)
        if item.isHidden { continue }
        if let runs {
          while run + 1 < runs.count, runs.starts[run + 1] <= index { run += 1 }
        }
        let end = scale.position(totals)
        let headings = runs.map { heading * $0.groupsBefore[run + 1] } ?? 0
        let row = Row(
          range: index..<index + 1, top: inset + start + headings, height: end - gap - start)
        guard body(row) else { return false }
        start = end
      }
      return true
    }
    if visit(cursor.leaf, cursor.offset..<cursor.leaf.count) {
      lines.root?.visit(totals.count..<strip.count, visit)
    }
  }

  var uniformRows: UniformRows? {
    guard lines.greatest == 0, runs == nil, let root = lines.root else { return nil }
    let pitch = root.totals.widthUnits / strip.count
    return UniformRows(items: 1, height: pitch - gap, pitch: pitch)
  }

  /// The distance of two lines is a sum of rounded tops, so it can be 1/64 px more or less where
  /// the sums before them differ. A scan in 1/65536 of a unit does not depend on those sums. One
  /// takes distances rounded down, and one rounded up.
  func scanLimits(_ limit: Int) -> [Int] {
    guard limit < 1 << 44 else { return [] }
    let upper = (limit + 1) << 16 - 1
    return lines.greatest == 0 ? [upper] : [upper, limit << 16]
  }

  func reach(ofLimit limit: Int) -> Int { limit >> 16 + 2 }

  func scan(from index: Int, until end: Int, _ scan: inout RowScan) {
    guard let root = lines.root else { return }
    let (width, gap, heading) = (width, gap << 16, heading << 16)
    var run = runs?.run(holding: index) ?? 0
    var runEnd = runs?.end(of: run, count: strip.count) ?? strip.count
    let before = root.totals(before: index)
    var top = before.aspectUnits &* width &+ before.widthUnits &<< 16
    if let runs { top &+= heading &* runs.groupsBefore[run + 1] }
    var index = index
    root.visit(index..<strip.count) { leaf, part in
      let items = leaf.span
      for offset in part {
        if index == runEnd, let runs {
          run += 1
          runEnd = runs.end(of: run, count: strip.count)
          if runs.isGroup(run) { top &+= heading }
        }
        let item = items[offset]
        if !item.isHidden {
          if index >= end { return false }
          let next = top &+ item.aspect &* width &+ item.width << 16
          scan.append(index..<index + 1, top, next &- gap)
          top = next
        }
        index += 1
      }
      return true
    }
  }

  func appendFrames(of items: [PackedItem], in row: Row, to frames: inout [Frame]) {
    for _ in items { frames.append(Frame(x: .zero, width: Length(width))) }
  }
}
