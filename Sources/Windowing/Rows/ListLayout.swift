/// A list: one item a line, as wide as the content.
///
/// An item with aspect a has the inverse r = floor(2^32 / a + 1/2), in 1/65536, and the caption. An
/// inverse is at most 2^32 - 1: only that of the least aspect, 1/65536, is rounded down to this. An item
/// without an aspect has the height of its kind, or the item height. If the list ignores aspects, no
/// item has one. The top of line i is
///
///     inset + floor(width x inverses / 65536) + captions + item heights + headings + i x gap
///
/// with the sums over the visible items before i. One tree of sums therefore serves every width.
///
/// - Complexity: O(log *n*) for each query. With headings, O(log runs x log *n*).
struct ListLayout: VerticalLayout {
  let strip: Strip
  let extent: Int
  let inset: Int
  let tree: Node?
  /// Whether the list has lines of height 0, which look hidden in the tree of lines.
  private let hasZeroHeightLines: Bool
  private let lines: ListLines
  private let runs: RunStarts?
  private let heading: Int
  private let gap: Int
  private let width: Int
  private let scale: Scale

  init(
    _ strip: Strip, _ lines: ListLines, runs: RunStarts?, width: Length, gap: Length,
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
    let count = strip.visibleCount
    hasZeroHeightLines = lines.root.map { $0.visibleCount < count } ?? false
    // A window then reads the tree of items.
    tree = hasZeroHeightLines ? strip.root : lines.root
    let end = lines.root.map { scale.position($0.totals) } ?? 0
    let headings = (runs?.groupsBefore.last ?? 0) * heading.position
    extent = 2 * inset.position + (count > 0 ? end - gap.position + headings : 0)
  }

  func forEachRow(endingAfter y: Int, _ body: (Row) -> Bool) {
    guard let root = lines.root else { return }
    let target = y - inset + gap
    guard let runs else {
      if let found = root.firstItem(endingAfter: target, at: scale) { forEachRow(found, body) }
      return
    }
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
        if item.isHidden, !hasZeroHeightLines || strip[index].size.isHidden { continue }
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

  var hasOneItemPerRow: Bool { true }

  var uniformRows: UniformRows? {
    guard lines.isFixed, runs == nil, strip.onlyKind != nil, let root = lines.root else {
      return nil
    }
    let pitch = root.totals.widthUnits / strip.count
    return UniformRows(items: 1, height: pitch - gap, pitch: pitch)
  }

  /// Tops are rounded, so a distance can be 1/64 px more or less than its exact value. These scans
  /// are exact, in 1/65536 of a unit: one takes distances rounded down, and one rounded up.
  func scanLimits(_ limit: Int) -> [Int] {
    guard limit < 1 << 44 else { return [] }
    let upper = (limit + 1) << 16 - 1
    return lines.isFixed ? [upper] : [upper, limit << 16]
  }

  func reach(ofLimit limit: Int) -> Int { limit >> 16 + 2 }

  func scan(from index: Int, until end: Int, _ scan: inout RowScan) {
    guard let root = lines.root else { return }
    let line = hasZeroHeightLines ? lines.line : nil
    let (width, gap, heading) = (width, gap << 16, heading << 16)
    var run = runs?.run(holding: index) ?? 0
    var runEnd = runs?.end(of: run, count: strip.count) ?? strip.count
    let before = root.totals(before: index)
    var top = before.aspectUnits &* width &+ before.widthUnits &<< 16
    if let runs { top &+= heading &* runs.groupsBefore[run + 1] }
    var index = index
    tree?.visit(index..<strip.count) { leaf, part in
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
          let line = line?(item) ?? item
          let next = top &+ line.aspect &* width &+ line.width << 16
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

/// The parameters that decide the heights of the lines of a list, at every width.
struct LineRule: Hashable, Sendable {
  let itemHeight: Length
  let itemHeights: [Kind: Length]
  let caption: Length
  let gap: Length
  let ignoresAspects: Bool

  fileprivate var line: (PackedItem) -> PackedItem {
    let caption = UInt64(caption.units + gap.units) << 32
    let heights = (0..<Kind.maximumCount).map { number in
      let height = itemHeights[Kind(number: number)] ?? itemHeight
      return UInt64(height.units + gap.units) << 32
    }
    return { item in
      if item.isHidden { return item }
      let kind = UInt64(item.kind) << 56
      guard item.aspect > 0, !ignoresAspects else {
        return PackedItem(bits: kind | heights[item.kind])
      }
      let inverse = min(UInt64(UInt32.max), ((1 << 33) / UInt64(item.aspect) + 1) / 2)
      return PackedItem(bits: kind | caption | inverse)
    }
  }
}

/// The lines of a strip, for every width: a tree with one item for each item of the strip.
///
/// - Complexity: O(*n*) to make; O(log *n* + changed items) after an edit.
struct ListLines: Sendable {
  private let rule: LineRule
  var line: (PackedItem) -> PackedItem { rule.line }
  private(set) var root: Node?
  /// The greatest inverse aspect in 1/65536, or more if edits have removed items.
  private var greatest = 0
  private var isExact = true
  private(set) var cost = 0

  init(_ strip: Strip, _ rule: LineRule) {
    self.rule = rule
    root = strip.root?.mapped(rule.line)
    var cost = 0
    root?.visitStored { cost += 9 * $0.count + 50 }
    self.cost = cost
    measure()
  }

  mutating func apply(_ change: ChangedRange, to strip: Strip) {
    guard change.new.count <= strip.count / 2 else {
      self = ListLines(strip, rule)
      return
    }
    var lines: [PackedItem] = []
    let line = rule.line
    strip.root?.visit(change.new) { leaf, part in
      lines += leaf[part].lazy.map(line)
      return true
    }
    root = Node.replacing(change.old, of: root, with: lines)
    greatest = lines.reduce(greatest) { max($0, $1.aspect) }
    isExact = isExact && change.old.isEmpty
    cost += 9 * change.difference
  }

  /// Whether all lines have heights that no width changes.
  var isFixed: Bool { root.map { $0.totals.aspectUnits == 0 } ?? true }

  /// - Complexity: O(1); O(*n*) for the first result that is true after edits.
  mutating func hasInverse(above limit: Int) -> Bool {
    if greatest > limit, !isExact { measure() }
    return greatest > limit
  }

  private mutating func measure() {
    var found = 0
    root?.visitStored { found = $0.reduce(found) { max($0, $1.aspect) } }
    (greatest, isExact) = (found, true)
  }
}
