package import Windowing

/// A list view of text cells. It reuses its cells, like a table view.
///
///     let list = try ListView(itemCount: 1000, columns: 80)
///     try list.handle(.end)
///     print(list.frame)
///
/// One px of the layout is one column of the terminal. The view makes one cell for each slot, at its
/// first use. A movement configures only the cells of the items that come into view.
package final class ListView {
  /// The kinds by number: an album, or the title of a section.
  private static let kinds = ["album", "title"]
  private static let height = Length.px(3)
  private static let gap = Length.px(1)

  /// The number of each item in the order of the strip, as its content.
  private var numbers: [Int]
  private var nextNumber: Int
  private var layout: StripLayout
  private var window: Window?
  private var pools = PoolCache()
  private var cells: [Slot: Cell] = [:]
  private(set) var columns: Int

  /// The left edge of the viewport.
  private(set) var offset = Length.zero

  package var strip: Strip { layout.strip }

  package var cellCount: Int { cells.count }

  /// The number of items that cells have displayed.
  package private(set) var displayCount = 0

  /// - Precondition: `columns` is at least 8.
  package init(itemCount: Int, columns: Int) throws(WindowingError) {
    numbers = Array(0..<itemCount)
    nextNumber = itemCount
    self.columns = columns
    let strip = Strip(kinds: Self.kinds, count: itemCount, rule: Self.item)
    layout = StripLayout(strip, height: Self.height, gap: Self.gap)
    try display()
  }

  /// A title for every tenth item, and albums of different widths.
  private static func item(_ number: Int) -> StripItem {
    number % 10 == 0
      ? StripItem(size: ItemSize(width: .px(9)), kind: Kind(number: 1))
      : StripItem(size: ItemSize(width: .px(12 + number % 4 * 3)), kind: Kind(number: 0))
  }

  private var width: Length { .px(columns) }
}

extension ListView {
  package func handle(_ key: Key) throws(WindowingError) {
    let first = try firstItem(startingFrom: offset)
    switch key {
    case .left: try scroll(to: first - 1)
    case .right: try scroll(to: firstItem(startingFrom: offset + .unit))
    case .pageUp: try scroll(to: firstItem(startingFrom: max(.zero, offset - width)))
    case .pageDown:
      let last = try layout.items(meeting: offset..<offset + width).upperBound - 1
      try scroll(to: max(first + 1, last))
    case .home: offset = .zero
    case .end: offset = layout.clampedOffset(.maximum, in: width)
    case .insert, .delete, .wider, .moveLeft, .moveRight: try edit(key, at: first)
    }
    try display()
  }

  package func resize(columns: Int) throws(WindowingError) {
    guard columns != self.columns else { return }
    self.columns = columns
    replaceStrip(strip)
    offset = layout.clampedOffset(offset, in: width)
    try display()
  }

  private func scroll(to index: Int) throws(WindowingError) {
    guard layout.indices.contains(index) else { return }
    offset = try layout.offset(showing: index, .start, in: width)
  }

  /// The first item that starts at or after `x`.
  private func firstItem(startingFrom x: Length) throws(WindowingError) -> Int {
    let range = try layout.items(meeting: x..<x + width)
    let isCut = !range.isEmpty && layout.start(of: range.lowerBound) < x
    return range.lowerBound + (isCut ? 1 : 0)
  }

  /// Keeps the item, or the one in its place, at its position on the screen.
  private func edit(_ key: Key, at index: Int) throws(WindowingError) {
    guard let kept = change(key, at: index) else { return }
    let start = layout.indices.contains(index) ? layout.start(of: index) - offset : .zero
    replaceStrip(kept.strip)
    offset =
      kept.index < kept.strip.count
      ? try layout.offset(putting: kept.index, at: start, in: width)
      : layout.clampedOffset(offset, in: width)
  }

  /// Returns the strip after the edit, and the new index of the item; nil if nothing changes.
  private func change(_ key: Key, at index: Int) -> (strip: Strip, index: Int)? {
    var strip = strip
    guard key == .insert || index < strip.count else { return nil }
    switch key {
    case .insert:
      numbers.insert(nextNumber, at: index)
      strip.insert([Self.item(nextNumber)], at: index)
      nextNumber += 1
      return (strip, index + 1)
    case .delete:
      numbers.remove(at: index)
      strip.remove(index..<index + 1)
      return (strip, index)
    case .wider:
      var item = strip[index]
      item.size = ItemSize(width: min(item.size.width + .px(4), .px(40)))
      strip.update(index, to: [item])
      return (strip, index)
    case .moveLeft where index > 0:
      numbers.swapAt(index, index - 1)
      strip.move(index..<index + 1, to: index - 1)
      return (strip, index - 1)
    case .moveRight where index + 1 < numbers.count:
      numbers.swapAt(index, index + 1)
      strip.move(index..<index + 1, to: index + 2)
      return (strip, index + 1)
    default:
      return nil
    }
  }

  /// All items leave, because their indices and slots can change. The cells stay for the new slots.
  private func replaceStrip(_ strip: Strip) {
    hide(window?.items ?? [])
    window = nil
    layout = StripLayout(strip, height: Self.height, gap: Self.gap)
  }

  /// Moves the viewport to `offset`, and configures the cells of the items that come into view.
  private func display() throws(WindowingError) {
    let pools = pools.pools(of: layout, poolLength: width)
    let next = try layout.window(meeting: offset..<offset + width, pools: pools)
    let old = window?.range ?? 0..<0
    hide(window?.items.filter { !next.range.contains($0.index) } ?? [])
    for item in next.items where !old.contains(item.index) {
      let cell = cells[item.slot] ?? Cell(item.slot, kind: Self.kinds[Int(item.kind.number)])
      cells[item.slot] = cell
      cell.show(numbers[item.index], width: Int(item.size.px))
      displayCount += 1
    }
    window = next
  }

  private func hide(_ items: [WindowItem]) {
    for item in items { cells[item.slot]?.hide() }
  }
}

extension ListView {
  /// The screen as lines of text: three lines of cells, and a status line.
  package var frame: String {
    var rows = [[Character]](repeating: Array(repeating: " ", count: columns), count: 3)
    for item in window?.items ?? [] {
      guard let cell = cells[item.slot] else { continue }
      let left = Int((item.start - offset).px)
      for (row, line) in cell.lines.enumerated() {
        for (column, character) in line.enumerated()
        where left + column >= 0 && left + column < columns {
          rows[row][left + column] = character
        }
      }
    }
    let status =
      "\(numbers.count) items, offset \(offset), \(cellCount) cells made, \(displayCount) displayed"
    return (rows.map { String($0) } + [String(status.prefix(columns))]).joined(separator: "\n")
  }
}

private final class Cell {
  private let name: String
  private(set) var lines: [String] = []

  init(_ slot: Slot, kind: String) { name = "\(kind)-\(slot.number)" }

  func show(_ number: Int, width: Int) {
    func fit(_ text: String) -> String {
      let text = String(text.prefix(width - 2))
      return "|" + text + String(repeating: " ", count: width - 2 - text.count) + "|"
    }
    lines = ["+" + String(repeating: "-", count: width - 2) + "+", fit("\(number)"), fit(name)]
  }

  func hide() { lines = [] }
}
