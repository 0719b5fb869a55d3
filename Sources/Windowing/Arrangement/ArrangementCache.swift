/// The arrangements of a strip that were asked for before. It survives edits of the strip: what an
/// edit did not touch is shared.
///
///     var cache = ArrangementCache()
///     let cell = Aspect(units: 65_536)
///     let rule = ArrangementRule.rows(width: .px(1440), row: .px(220), cell: cell)
///     let rows = cache.arrangement(of: strip, rule, gap: .px(8))
///
/// - Complexity: Lists of equal gaps, captions and item heights share one tree of *n* items.
///   Justified rows take about six bytes a row for each width and target height.
public struct ArrangementCache: Sendable {
  /// A value that was made from a strip.
  private struct Made<Value: Sendable>: Sendable {
    let strip: Strip
    let value: Value
  }

  private struct LineRule: Hashable {
    let itemHeight: Length
    let caption: Length
    let gap: Length
  }

  /// The most bytes of tables of justified rows. The least recently used ones are evicted; one
  /// table can be larger.
  private let limit: Int
  private var runs: Made<RunStarts>?
  private var visible: Made<MappedItems?>?
  private var lines: [LineRule: Made<MappedItems>] = [:]
  /// The most recently used table is first.
  private var tables: [Made<RowTable>] = []

  /// The most tables. Each keeps the version of the strip that it was made for.
  private static let tableCount = 128

  public init(limit: Int = 64 << 20) { self.limit = limit }

  /// About how many bytes the cache takes, without the strips.
  public var cost: Int {
    var mapped = lines.values.map(\.strip)
    if let visible, visible.value != nil { mapped.append(visible.strip) }
    return mapped.reduce(0) { $0 + 9 * $1.count } + tables.reduce(0) { $0 + $1.value.cost }
  }

  /// Whether ``arrangement(of:_:gap:inset:heading:)`` takes O(log *n*): the strip was arranged so
  /// before, or an edit ago.
  public func hasEntry(
    for strip: Strip, _ rule: ArrangementRule, gap: Length, heading: Length = .zero
  ) -> Bool {
    switch rule {
    case .line: return true
    case .list(_, let itemHeight, let caption):
      return lines[LineRule(itemHeight: itemHeight, caption: caption, gap: gap)] != nil
    case .grid: return runs.map { $0.strip.hasSameItems(as: strip) } ?? false
    case .rows(let width, let row, let cell):
      let rule = RowRule(width, row, cell, gap: gap, heading: heading)
      return tables.contains { $0.value.rule == rule }
    }
  }

  /// The arrangement of a strip.
  ///
  /// - Precondition: A width is above 0 and at most 65,536 px, and so is a row's height. There is at
  ///   least one column.
  /// - Returns: nil if an item or a cell would be higher than 2^20 px, or a column not wider than
  ///   0.
  /// - Complexity: O(log *n* + changed rows) if ``hasEntry(for:_:gap:heading:)``, else O(*n*);
  ///   O(runs) for a grid.
  public mutating func arrangement(
    of strip: Strip, _ rule: ArrangementRule, gap: Length, inset: Length = .zero,
    heading: Length = .zero
  ) -> Arrangement? {
    let highest = 1 << 26
    precondition(rule.isValid, "The lengths of an arrangement are above 0, and at most 65536 px.")
    switch rule {
    case .line(let height, let wraps):
      return Arrangement(Layout(strip, height: height, gap: gap, inset: inset, wraps: wraps))
    case .list(let width, let itemHeight, let caption):
      let lines = lines(
        of: strip, LineRule(itemHeight: itemHeight, caption: caption, gap: gap))
      let tallest = (width.position * lines.greatest) >> 16
      guard tallest + caption.position <= highest else { return nil }
      let hasHeadings = heading > .zero && strip.runs != nil
      return Arrangement(
        ListLayout(
          strip, lines, runs: hasHeadings ? runs(of: strip) : nil, width: width, gap: gap,
          inset: inset, heading: heading))
    case .grid(let width, let columns, let cell, let caption):
      let count =
        switch columns {
        case .count(let count): count
        case .atLeast(let column): GridLayout.columns(ofAtLeast: column, in: width, gap: gap)
        }
      let first = GridLayout.firstColumn(of: count, in: width, gap: gap)
      let height = (first << 16) / max(1, Int(cell.units)) + caption.position
      guard first > 0, height <= highest else { return nil }
      return Arrangement(
        GridLayout(
          strip, runs: runs(of: strip), visible: visible(of: strip), columns: count, width: width,
          cellHeight: height, gap: gap, inset: inset, heading: heading))
    case .rows(let width, let row, let cell):
      let rule = RowRule(width, row, cell, gap: gap, heading: heading)
      return Arrangement(JustifiedRows(strip, table(of: strip, rule), inset: inset))
    }
  }

  private mutating func lines(of strip: Strip, _ rule: LineRule) -> MappedItems {
    let known = lines[rule]
    if let known, known.strip.hasSameItems(as: strip) { return known.value }
    let made = ListLayout.lines(
      of: strip, itemHeight: rule.itemHeight, caption: rule.caption, gap: rule.gap,
      reusing: known?.value)
    if known == nil, lines.count >= 4 { lines = [:] }
    lines[rule] = Made(strip: strip, value: made)
    return made
  }

  private mutating func visible(of strip: Strip) -> MappedItems? {
    if let visible, visible.strip.hasSameItems(as: strip) { return visible.value }
    let made = GridLayout.visibleItems(of: strip, reusing: visible?.value)
    visible = Made(strip: strip, value: made)
    return made
  }

  private mutating func runs(of strip: Strip) -> RunStarts {
    if let runs, runs.strip.hasSameItems(as: strip), runs.strip.runs === strip.runs {
      return runs.value
    }
    let made = RunStarts(strip)
    runs = Made(strip: strip, value: made)
    return made
  }

  private mutating func table(of strip: Strip, _ rule: RowRule) -> RowTable {
    var table: RowTable
    if let index = tables.firstIndex(where: { $0.value.rule == rule }) {
      let known = tables.remove(at: index)
      table = known.value
      if !known.strip.hasSameItems(as: strip) || known.strip.runs !== strip.runs {
        let change = ChangedRange(from: known.strip, to: strip)
        table = table.following(change, to: strip, runs: runs(of: strip))
      }
    } else {
      table = RowTable(strip, runs: runs(of: strip), rule)
    }
    tables.insert(Made(strip: strip, value: table), at: 0)
    var sum = 0
    let kept = tables.prefix { table in
      sum += table.value.cost
      return sum <= limit
    }.prefix(Self.tableCount)
    tables.removeLast(tables.count - max(1, kept.count))
    return table
  }
}

extension ArrangementRule {
  fileprivate var isValid: Bool {
    let lengths = Length.unit...Length.px(65_536)
    return switch self {
    case .line: true
    case .list(let width, _, _): lengths ~= width
    case .grid(let width, .count(let count), _, _): lengths ~= width && count > 0
    case .grid(let width, .atLeast, _, _): lengths ~= width
    case .rows(let width, let row, _): lengths ~= width && lengths ~= row
    }
  }
}

extension RowRule {
  fileprivate init(_ width: Length, _ row: Length, _ cell: Aspect, gap: Length, heading: Length) {
    self.init(
      width: width.position, height: row.position, gap: gap.position, heading: heading.position,
      cell: Int(cell.units))
  }
}

extension Strip {
  /// Whether both have the same items by identity, or none. O(1); O(items) of a strip that is one leaf.
  fileprivate func hasSameItems(as other: Strip) -> Bool {
    switch (root, other.root) {
    case (nil, nil): true
    case (.leaf(let a)?, .leaf(let b)?): a == b
    case (let a?, let b?): a.isIdentical(to: b)
    default: false
    }
  }
}
