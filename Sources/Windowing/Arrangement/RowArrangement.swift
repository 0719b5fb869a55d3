/// A row of an arrangement: items side by side.
struct Row: Sendable {
  /// The indices of its items. Hidden items between, before or after them can be in the range.
  var range: Range<Int>

  /// Where it starts down the page, in 1/64 px.
  var top: Int

  /// Its height in 1/64 px.
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
protocol RowArrangement: Sendable {
  var strip: Strip { get }

  /// The height of everything, with the insets.
  var extent: Int { get }

  /// The inset below the last row.
  var inset: Int { get }

  /// Calls `body` with the first row that ends after `y`, and the rows after it, until it returns
  /// false.
  func forEachRow(endingAfter y: Int, _ body: (Row) -> Bool)

  /// Calls `body` with the row of the item at `index`, and the rows after it, until it returns
  /// false. The row of a hidden item is that of the next visible one. There is none after the last
  /// visible item.
  func forEachRow(from index: Int, _ body: (Row) -> Bool)

  /// The frames of the visible items of a row.
  func frames(of items: [PackedItem], in row: Row) -> [Frame]
}

extension RowArrangement {
  var fits: Bool { extent <= Length.farthest.position }

  /// The window of `span`, a stretch of the page: the items of the rows that meet it, with their
  /// slots and frames.
  ///
  /// - Throws: ``WindowingError/outOfRange`` beyond 2^47 px, ``WindowingError/tooManyItems(_:)``
  ///   above `most` items.
  /// - Complexity: O(log *n* + items in the window).
  func window(
    meeting span: Range<Length>, pools: Pools, most: Int
  ) throws(WindowingError) -> Window {
    let farthest = Length.farthest
    guard fits, span.lowerBound >= -farthest, span.upperBound <= farthest else { throw .outOfRange }
    let (low, high) = (span.lowerBound.position, span.upperBound.position)
    var rows: [Row] = []
    var next: Row?
    var count = 0
    forEachRow(endingAfter: low) { row in
      if next == nil { next = row }
      guard row.top < high else { return false }
      if row.height > 0 { rows.append(row) }
      count = row.range.upperBound - (rows.first ?? row).range.lowerBound
      return count <= most
    }
    if count > most { throw .tooManyItems(count) }
    guard let first = rows.first else {
      let index = next.map { strip.firstVisible(from: $0.range.lowerBound) } ?? strip.count
      return Window(range: index..<index, items: [])
    }
    var (items, frames): ([WindowItem], [Frame]) = ([], [])
    var slots = SlotCounter(strip, from: first.range.lowerBound, pools)
    for row in rows { place(row, &slots, &items, &frames) }
    guard let start = items.first?.index, let end = items.last?.index else {
      return Window(range: first.range.lowerBound..<first.range.lowerBound, items: [])
    }
    return Window(range: start..<end + 1, items: items, frames: frames)
  }

  /// Appends the visible items of a row, which follows the row before.
  private func place(
    _ row: Row, _ slots: inout SlotCounter, _ items: inout [WindowItem], _ frames: inout [Frame]
  ) {
    var visible: [PackedItem] = []
    var index = row.range.lowerBound
    slots.skip(to: index, of: strip)
    strip.root?.visit(row.range) { leaf, part in
      for item in leaf[part] {
        if !item.isHidden {
          visible.append(item)
          items.append(
            WindowItem(
              index: index, slot: slots.next(of: item.kind), start: Length(row.top),
              size: Length(row.height)))
        }
        index += 1
      }
      return true
    }
    slots.index = index
    frames += self.frames(of: visible, in: row)
  }

  /// The start and end of the row of an item. Those of a hidden item are the start of the next row.
  ///
  /// - Throws: ``WindowingError/noItem(at:)``, ``WindowingError/outOfRange``.
  func bounds(of index: Int) throws(WindowingError) -> (start: Int, end: Int) {
    guard index >= 0, index < strip.count else { throw .noItem(at: index) }
    guard fits else { throw .outOfRange }
    var found: Row?
    forEachRow(from: index) { row in
      found = row
      return false
    }
    guard let found else { return (extent - inset, extent - inset) }
    return (found.top, strip[index].size.isHidden ? found.top : found.bottom)
  }

  /// The slots of the items of `held` that no item of `window` uses, each once, in order.
  func slots(leaving held: Range<Int>, for window: Window, pools: Pools) -> [Slot] {
    let held = held.clamped(to: 0..<strip.count)
    guard !held.isEmpty else { return [] }
    var used = Set(window.items.map(\.slot))
    var leaving: [Slot] = []
    var slots = SlotCounter(strip, from: held.lowerBound, pools)
    strip.root?.visit(held) { leaf, part in
      for item in leaf[part] where !item.isHidden {
        let slot = slots.next(of: item.kind)
        if used.insert(slot).inserted { leaving.append(slot) }
      }
      return true
    }
    return leaving
  }

  /// The group of the item at `index`, with the start of its first row; nil if it has none.
  func group(at index: Int) -> PlacedGroup? {
    strip.groupRun(at: index).map { run in
      let start = (try? bounds(of: run.range.lowerBound).start) ?? 0
      return PlacedGroup(
        title: run.title, first: run.range.lowerBound, end: run.range.upperBound,
        start: Length(start))
    }
  }

  /// The pools of a stretch of the page: for each kind, the most items in rows i ... j with (top of
  /// row j) - (end of row i) at most the stretch, rounded up to the ``Ladder``, less 2/64 px.
  ///
  /// - Complexity: O(*n*), one pass.
  func pools(stretch: Length) -> Pools {
    guard let root = strip.root else { return Pools([]) }
    let limit = Ladder.up(stretch).position - 2
    // The kind of each item, or a number that no kind has for a hidden one. Empty if all are
    // visible and of one kind.
    var kinds: [UInt8] = []
    if root.kindCount > 1 || strip.hidesItems {
      kinds.reserveCapacity(strip.count)
      root.visit(0..<strip.count) { leaf, part in
        for item in leaf[part] { kinds.append(item.isHidden ? .max : UInt8(item.kind)) }
        return true
      }
    }
    var scan = RowScan(limit: limit, kinds: kinds, kindCount: root.kindCount)
    forEachRow(from: 0) { row in
      scan.append(row)
      return true
    }
    return Pools(scan.pools)
  }
}

/// The slots of items in order: rank modulo pool, for each kind.
struct SlotCounter {
  /// The index of the next item.
  var index: Int
  private var ranks: ContiguousArray<Int>
  private let pools: Pools

  /// Starts at the item at `index`. O(log *n*).
  init(_ strip: Strip, from index: Int, _ pools: Pools) {
    self.index = index
    self.pools = pools
    ranks = strip.root.map { $0.ranks(before: index, kinds: $0.kindCount) } ?? []
  }

  mutating func next(of kind: Int) -> Slot {
    let number = ranks[kind] % max(1, pools[number: kind])
    ranks[kind] += 1
    return Slot(kind: Kind(number: kind), number: number)
  }

  /// Continues at another index.
  mutating func skip(to index: Int, of strip: Strip) {
    if index != self.index { self = SlotCounter(strip, from: index, pools) }
  }
}

/// One pass over rows that finds, for each kind, the most items in rows within a stretch.
private struct RowScan {
  private let limit: Int
  private let kinds: [UInt8]
  /// The rows of the stretch that ends at the current row, in a ring buffer.
  private var rows: ContiguousArray<Row>
  private var first = 0
  private var end = 0
  private var counts: ContiguousArray<Int>
  private(set) var pools: [Int]

  /// - Parameter kinds: the kind of each item; empty if there is only one.
  init(limit: Int, kinds: [UInt8], kindCount: Int) {
    self.limit = limit
    self.kinds = kinds
    rows = ContiguousArray(repeating: Row(range: 0..<0, top: 0, height: 0), count: 64)
    counts = ContiguousArray(repeating: 0, count: max(1, kindCount))
    pools = [Int](repeating: 0, count: max(1, kindCount))
  }

  mutating func append(_ row: Row) {
    while first < end, row.top - rows[first & (rows.count - 1)].bottom > limit {
      count(rows[first & (rows.count - 1)].range, -1)
      first += 1
    }
    if end - first == rows.count { enlarge() }
    rows[end & (rows.count - 1)] = row
    end += 1
    count(row.range, 1)
    for kind in pools.indices { pools[kind] = max(pools[kind], counts[kind]) }
  }

  private mutating func count(_ range: Range<Int>, _ difference: Int) {
    if kinds.isEmpty {
      counts[0] += range.count * difference
    } else {
      for kind in kinds[range] where kind != .max { counts[Int(kind)] += difference }
    }
  }

  private mutating func enlarge() {
    let old = rows
    rows += old
    for number in first..<end { rows[number & (rows.count - 1)] = old[number & (old.count - 1)] }
  }
}
