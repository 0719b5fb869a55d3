/// The arrangements of a strip that was arranged before. It survives edits of the strip: what an edit did not touch is shared.
///
/// - Complexity: Lists of equal gaps, captions and item heights share one tree of *n* items. Justified rows take about six bytes
///   a row for each width.
public struct ArrangementCache: Sendable {
  /// What the arrangements of a strip share at every width.
  private struct Shared {
    var strip: Strip
    var runs: RunStarts
    var visible: MappedItems?
    var lines: [LineRule: MappedItems] = [:]
    var tables: [(rule: RowRule, table: RowTable)] = []
  }

  private struct LineRule: Hashable {
    let itemHeight: Length
    let caption: Length
    let gap: Length
  }

  /// The greatest number of widths and heights of justified rows. The least recently used ones are evicted.
  private let capacity: Int
  private var shared: Shared?

  public init(capacity: Int = 100) { self.capacity = capacity }

  /// About how many bytes the cache takes.
  public var cost: Int {
    guard let shared else { return 0 }
    let trees = shared.lines.count + (shared.visible == nil ? 0 : 1)
    return shared.tables.reduce(9 * trees * shared.strip.count) { $0 + $1.table.cost() }
  }

  /// Whether `arrangement(of:_:)` takes O(log *n*): it was arranged so before, or an edit ago.
  public func hasEntry(
    for strip: Strip, _ rule: ArrangementRule, gap: Length, heading: Length
  ) -> Bool {
    guard let shared else { return false }
    switch rule {
    case .line: return true
    case .list(_, let itemHeight, let caption):
      return shared.lines[LineRule(itemHeight: itemHeight, caption: caption, gap: gap)] != nil
    case .grid: return strip.root.isIdentical(to: shared.strip.root)
    case .rows(let width, let row, let cell):
      let rule = RowRule(width, row, cell, gap: gap, heading: heading)
      return shared.tables.contains { $0.rule == rule }
    }
  }

  /// The arrangement of a strip.
  ///
  /// - Returns: nil if an item or a cell would be higher than 2^20 px, or a column not wider than 0.
  /// - Complexity: O(log *n* + changed rows) if ``hasEntry(for:_:gap:heading:)``, else O(*n*).
  public mutating func arrangement(
    of strip: Strip, _ rule: ArrangementRule, gap: Length, inset: Length, heading: Length
  ) -> Arrangement? {
    var shared = follow(strip)
    defer { self.shared = shared }
    let highest = 1 << 26
    switch rule {
    case .line(let height, let wraps):
      return Arrangement(Layout(strip, height: height, gap: gap, inset: inset, wraps: wraps))
    case .list(let width, let itemHeight, let caption):
      let key = LineRule(itemHeight: itemHeight, caption: caption, gap: gap)
      let lines =
        shared.lines[key]
        ?? ListLayout.lines(
          of: strip, itemHeight: itemHeight, caption: caption, gap: gap, reusing: nil)
      shared.lines[key] = lines
      guard (width.position * lines.greatest) >> 16 + caption.position <= highest else {
        return nil
      }
      let hasHeadings = heading > .zero && strip.runs != nil
      return Arrangement(
        ListLayout(
          strip, lines, runs: hasHeadings ? shared.runs : nil, width: width, gap: gap,
          inset: inset, heading: heading))
    case .grid(let width, let columns, let cell, let caption):
      let count =
        switch columns {
        case .count(let count): count
        case .atLeast(let column): GridLayout.columns(ofAtLeast: column, in: width, gap: gap)
        }
      let first = GridLayout.firstColumn(of: count, in: width, gap: gap)
      let height = first << 16 / max(1, Int(cell.units)) + caption.position
      guard first > 0, height <= highest else { return nil }
      return Arrangement(
        GridLayout(
          strip, runs: shared.runs, visible: shared.visible, columns: count, width: width,
          cellHeight: height, gap: gap, inset: inset, heading: heading))
    case .rows(let width, let row, let cell):
      let rule = RowRule(width, row, cell, gap: gap, heading: heading)
      let known = shared.tables.firstIndex { $0.rule == rule }
      let table =
        known.map { shared.tables.remove(at: $0).table } ?? RowTable(strip, runs: shared.runs, rule)
      shared.tables.insert((rule, table), at: 0)
      if shared.tables.count > capacity { shared.tables.removeLast() }
      return Arrangement(JustifiedRows(strip, table, inset: inset))
    }
  }

  /// What is shared, for this strip: what an edit did not touch stays.
  private func follow(_ strip: Strip) -> Shared {
    guard let shared else {
      return Shared(
        strip: strip, runs: RunStarts(strip),
        visible: GridLayout.visibleItems(of: strip, reusing: nil))
    }
    let hasSameRuns = shared.strip.runs === strip.runs
    if hasSameRuns, strip.root.isIdentical(to: shared.strip.root) { return shared }
    let change = ChangedRange(from: shared.strip, to: strip)
    let runs = RunStarts(strip)
    var next = Shared(
      strip: strip, runs: runs, visible: GridLayout.visibleItems(of: strip, reusing: shared.visible)
    )
    for (rule, lines) in shared.lines {
      next.lines[rule] = ListLayout.lines(
        of: strip, itemHeight: rule.itemHeight, caption: rule.caption, gap: rule.gap, reusing: lines
      )
    }
    next.tables = shared.tables.map { ($0.rule, $0.table.following(change, to: strip, runs: runs)) }
    return next
  }
}

extension RowRule {
  fileprivate init(_ width: Length, _ row: Length, _ cell: Aspect, gap: Length, heading: Length) {
    self.init(
      width: width.position, height: row.position, gap: gap.position, heading: heading.position,
      cell: Int(cell.units))
  }
}

extension Node? {
  /// Whether both have the same items by identity, or none.
  fileprivate func isIdentical(to other: Node?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let a?, let b?): a.isIdentical(to: b)
    default: false
    }
  }
}
