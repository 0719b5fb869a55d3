/// A cache of the layouts of a strip, and of their pools. It survives edits of the strip:
/// versions share what an edit did not touch.
///
///     var cache = LayoutCache()
///     let cell = Aspect(units: 65_536)
///     let rule = LayoutRule.rows(width: .px(1440), row: .px(220), cell: cell)
///     if let rows = cache.layout(of: strip, rule, gap: .px(8)) {
///       let pools = cache.pools(of: rows, poolLength: .px(900))
///     }
///
/// - Complexity: O(log *n*) for a new version; O(runs) if groups changed and have headings. Lists of equal gaps,
///   captions and item heights share a tree of *n* items. Justified rows take about six bytes a
///   row for each width and target height. The cache retains the last version of the strip.
public struct LayoutCache: Sendable {
  /// A value that was made from an earlier version of the strip, and the items that edits changed since.
  private struct Entry<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    let key: Key
    var value: Value
    var change: ChangedRange?

    mutating func record(_ next: ChangedRange) { change = change?.merged(with: next) ?? next }
  }

  private struct PoolKey: Hashable {
    let rows: Layout.RowKey
    /// One of the ``SizeClasses``.
    let poolLength: Length
  }

  /// The most bytes of tables of justified rows. One table can be larger.
  private let limit: Int
  private var strip: Strip?
  private var runs: RunStarts?
  private var grids: [Int: GridRows] = [:]
  // The most recently used values are first.
  private var lines: [Entry<LineRule, ListLines>] = []
  private var tables: [Entry<RowRule, RowTable>] = []
  private var pools: [Entry<PoolKey, RowPools>] = []
  private var stripPools = PoolCache()

  private static let (lineCount, gridCount, poolCount) = (4, 16, 64)

  /// Reading this number of runs takes microseconds.
  private static let quickRunLimit = 1000

  public init(limit: Int = 64 << 20) { self.limit = limit }

  /// The approximate memory in bytes, without the strip.
  public var cost: Int {
    let runBytes = 16 * (runs?.count ?? 0) * (1 + grids.count)
    return runBytes + lines.reduce(0) { $0 + $1.value.cost } + tableCost
      + pools.reduce(stripPools.cost) { $0 + $1.value.cost }
  }

  private var tableCost: Int { tables.reduce(0) { $0 + $1.value.cost } }
}

extension LayoutCache {
  /// Whether ``layout(of:_:gap:inset:heading:)`` takes microseconds. O(entries).
  public func hasEntry(
    for strip: Strip, _ rule: LayoutRule, gap: Length, heading: Length = .zero
  ) -> Bool {
    if case .strip = rule { return true }
    let isCurrent = self.strip?.isSameVersion(as: strip) ?? false
    let hasFewRuns = heading == .zero || strip.runCount <= Self.quickRunLimit
    let hasRuns = hasFewRuns || isCurrent && runs != nil
    switch rule {
    case .strip: return true
    case .list(_, let itemHeight, let itemHeights, let caption, let ignoresAspects):
      let rule = LineRule(
        itemHeight: itemHeight, itemHeights: itemHeights, caption: caption, gap: gap,
        ignoresAspects: ignoresAspects)
      return hasRuns && lines.contains { $0.key == rule }
    case .grid(let width, let columns, _, _):
      let count = columns.count(in: width, gap: gap)
      return hasFewRuns || isCurrent && runs != nil && grids[count] != nil
    case .rows(let width, let row, let cell):
      let rule = RowRule(width, row, cell, gap: gap, heading: heading)
      return hasRuns && tables.contains { $0.key == rule }
    }
  }

  /// - Precondition: A width is above 0 and at most 65,536 px, and so is a row's height. There is at
  ///   least one column.
  /// - Returns: nil if an item or cell would be higher than 2^20 px, or a column not wider than 0.
  /// - Complexity: O(log *n* + changed rows) if ``hasEntry(for:_:gap:heading:)``, else O(*n*). For a
  ///   grid with headings O(runs), and O(runs x log *n*) if the strip hides items.
  public mutating func layout(
    of strip: Strip, _ rule: LayoutRule, gap: Length, inset: Length = .zero,
    heading: Length = .zero
  ) -> Layout? {
    let highest = 1 << 26
    precondition(rule.isValid, "The lengths of a layout are above 0, and at most 65536 px.")
    if case .strip(let height, let wraps) = rule {
      return Layout(StripLayout(strip, height: height, gap: gap, inset: inset, wraps: wraps))
    }
    update(to: strip)
    let runs = heading > .zero ? groupRuns(of: strip) : .whole
    var key = Layout.RowKey(rule: rule, gap: gap, heading: heading)
    switch rule {
    case .strip: return nil
    case .list(let width, let itemHeight, let itemHeights, let caption, let ignoresAspects):
      let rule = LineRule(
        itemHeight: itemHeight, itemHeights: itemHeights, caption: caption, gap: gap,
        ignoresAspects: ignoresAspects)
      Self.use(rule, in: &lines, limit: Self.lineCount) {
        $0.apply($1, to: strip)
      } make: {
        ListLines(strip, rule)
      }
      let limit = ((highest - caption.position + 1) << 16 - 1) / width.position
      if lines[0].value.hasInverse(above: limit) { return nil }
      let made = lines[0].value
      if made.isFixed {
        let anyWidth = LayoutRule.list(
          width: .unit, itemHeight: itemHeight, itemHeights: itemHeights, caption: caption,
          ignoresAspects: ignoresAspects)
        key = Layout.RowKey(rule: anyWidth, gap: gap, heading: heading)
      }
      return Layout(
        ListLayout(
          strip, made, runs: runs.hasGroups ? runs : nil, width: width, gap: gap, inset: inset,
          heading: heading), key)
    case .grid(let width, let columns, let cell, let caption):
      let count = columns.count(in: width, gap: gap)
      let first = GridLayout.firstColumn(of: count, in: width, gap: gap)
      let height = (first << 16) / max(1, Int(cell.units)) + caption.position
      guard first > 0, height <= highest else { return nil }
      return Layout(
        GridLayout(
          strip, runs: runs, rows: gridRows(of: strip, runs, columns: count), columns: count,
          width: width, cellHeight: height, gap: gap, inset: inset, heading: heading), key)
    case .rows(let width, let row, let cell):
      let rule = RowRule(width, row, cell, gap: gap, heading: heading)
      return Layout(RowsLayout(strip, table(of: strip, runs, rule), inset: inset), key)
    }
  }

  /// Whether ``pools(of:poolLength:)`` is faster than O(*n*).
  public func hasPools(of layout: Layout, poolLength: Length) -> Bool {
    if let strip = layout.stripLayout {
      return stripPools.hasEntry(for: strip, poolLength: poolLength)
    }
    guard let (rows, key) = layout.rows else { return false }
    let poolLength = SizeClasses.roundedUp(poolLength)
    return pools.contains { $0.key == PoolKey(rows: key, poolLength: poolLength) }
      || rows.simplePools(poolLength: poolLength) != nil
  }

  /// Equal to ``Layout/pools(poolLength:)``, for a layout that this cache made, or a strip.
  ///
  /// - Complexity: O(1) for a known strip. O(*n* / 1000 + items around the edits) after edits; in a
  ///   grid O(items of the run); for a strip as ``PoolCache``. O(*n*) for a new pair of layout and
  ///   length.
  public mutating func pools(of layout: Layout, poolLength: Length) -> Pools {
    if let strip = layout.stripLayout { return stripPools.pools(of: strip, poolLength: poolLength) }
    guard let (rows, rowKey) = layout.rows else { return Pools([]) }
    update(to: layout.strip)
    let key = PoolKey(rows: rowKey, poolLength: SizeClasses.roundedUp(poolLength))
    if !pools.contains(where: { $0.key == key }),
      let simple = rows.simplePools(poolLength: key.poolLength)
    {
      return simple
    }
    Self.use(key, in: &pools, limit: Self.poolCount) {
      $0.apply($1, to: rows)
    } make: {
      RowPools(rows, poolLength: key.poolLength)
    }
    return pools[0].value.pools
  }
}

extension LayoutCache {
  private mutating func update(to strip: Strip) {
    guard let known = self.strip, !known.isSameVersion(as: strip) else {
      self.strip = strip
      return
    }
    self.strip = strip
    (runs, grids) = (nil, [:])
    let items = ChangedRange(from: known, to: strip, includesGroups: false)
    // An item that moves far changes all items between its places, but few nodes.
    let parts =
      items.new.count > 4096 && !lines.isEmpty ? ChangedRange.parts(from: known, to: strip) : nil
    for k in lines.indices {
      if let parts, lines[k].change == nil {
        for part in parts.reversed() { lines[k].value.apply(part, to: strip) }
      } else {
        lines[k].record(items)
      }
    }
    // Without headings, groups change no row.
    let change = ChangedRange(from: known, to: strip)
    for k in tables.indices { tables[k].record(tables[k].key.heading > 0 ? change : items) }
    for k in pools.indices {
      pools[k].record(pools[k].key.rows.heading > .zero ? change : items)
    }
  }

  /// Puts the value of a key first: the known one with the edits since, or a new one.
  private static func use<Key, Value>(
    _ key: Key, in values: inout [Entry<Key, Value>], limit: Int = .max,
    apply: (inout Value, ChangedRange) -> Void, make: () -> Value
  ) {
    guard let index = values.firstIndex(where: { $0.key == key }) else {
      if values.count == limit { values.removeLast() }
      values.insert(Entry(key: key, value: make()), at: 0)
      return
    }
    if index > 0 { values.insert(values.remove(at: index), at: 0) }
    if let change = values[0].change {
      apply(&values[0].value, change)
      values[0].change = nil
    }
  }

  private mutating func groupRuns(of strip: Strip) -> RunStarts {
    if let runs { return runs }
    let made = RunStarts(strip)
    runs = made
    return made
  }

  private mutating func gridRows(
    of strip: Strip, _ runs: RunStarts, columns: Int
  ) -> GridRows {
    if runs.count == 1 { return GridRows(strip, runs, columns: columns) }
    if let rows = grids[columns] { return rows }
    if grids.count == Self.gridCount { grids = [:] }
    let made = GridRows(strip, runs, columns: columns)
    grids[columns] = made
    return made
  }

  private mutating func table(
    of strip: Strip, _ runs: RunStarts, _ rule: RowRule
  ) -> RowTable {
    Self.use(rule, in: &tables) {
      $0.apply($1, to: strip, runs: runs)
    } make: {
      RowTable(strip, runs: runs, rule)
    }
    while tables.count > 1, tableCost > limit { tables.removeLast() }
    return tables[0].value
  }
}

extension LayoutRule.Columns {
  fileprivate func count(in width: Length, gap: Length) -> Int {
    switch self {
    case .count(let count): count
    case .atLeast(let column): GridLayout.columns(ofAtLeast: column, in: width, gap: gap)
    }
  }
}

extension LayoutRule {
  fileprivate var isValid: Bool {
    let lengths = Length.unit...Length.px(65_536)
    return switch self {
    case .strip: true
    case .list(let width, _, _, _, _): lengths ~= width
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
  /// Whether both are the same tree. O(1); O(items) for a strip that is one leaf.
  fileprivate func isSameVersion(as other: Strip) -> Bool {
    guard runs === other.runs else { return false }
    return switch (root, other.root) {
    case (nil, nil): true
    case (.leaf(let a)?, .leaf(let b)?): a == b
    case (let a?, let b?): a.isIdentical(to: b)
    default: false
    }
  }
}
