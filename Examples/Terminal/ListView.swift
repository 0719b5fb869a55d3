import Windowing

/// A list view of text cells. It reuses its cells, like a table view.
///
///     let list = try ListView(itemCount: 1000, columns: 80)
///     try list.handle(.end)
///     print(list.frame)
///
/// One px of the layout is one column of the terminal. ``ViewportFollower`` tells which items start
/// and end displaying. The view makes one cell for each slot, at its first use.
final class ListView {
  /// The kinds by number: an album, or the title of a section.
  private static let kinds = ["album", "title"]
  private static let height = Length.px(3)
  private static let gap = Length.px(1)

  /// The number of each item in the order of the strip, as its content.
  private var numbers: [Int]
  private var nextNumber: Int
  private var follower: ViewportFollower
  private var pools = PoolCache()
  private var cells: [Slot: Cell] = [:]
  private(set) var columns: Int

  /// The left edge of the viewport.
  private(set) var offset = Length.zero

  var strip: Strip { follower.layout.strip }

  /// The number of cells that the view has made.
  var cellCount: Int { cells.count }

  /// The number of items that cells have displayed.
  private(set) var displayCount = 0

  /// Shows the first items of a list.
  ///
  /// - Precondition: `columns` is at least 8.
  init(itemCount: Int, columns: Int) throws(WindowingError) {
    numbers = Array(0..<itemCount)
    nextNumber = itemCount
    self.columns = columns
    let strip = Strip(kinds: Self.kinds, count: itemCount, rule: Self.item)
    follower = Self.follower(of: strip, columns: columns, &pools)
    try display()
  }

  /// A title for every tenth item, and albums of different widths.
  private static func item(_ number: Int) -> StripItem {
    number % 10 == 0
      ? StripItem(size: ItemSize(width: .px(9)), kind: Kind(number: 1))
      : StripItem(size: ItemSize(width: .px(12 + number % 4 * 3)), kind: Kind(number: 0))
  }

  private static func follower(
    of strip: Strip, columns: Int, _ cache: inout PoolCache
  ) -> ViewportFollower {
    let layout = Layout(strip, height: height, gap: gap)
    return ViewportFollower(layout, pools: cache.pools(of: layout, stretch: .px(columns)))
  }

  private var width: Length { .px(columns) }
}

extension ListView {
  /// Scrolls or edits the list.
  func handle(_ key: Key) throws(WindowingError) {
    let layout = follower.layout
    switch key {
    case .left: try scroll(to: layout.snapPosition(before: offset, by: .item, .start, in: width))
    case .right: try scroll(to: layout.snapPosition(after: offset, by: .item, .start, in: width))
    case .pageUp: try scroll(to: layout.snapPosition(before: offset, by: .page, .start, in: width))
    case .pageDown: try scroll(to: layout.snapPosition(after: offset, by: .page, .start, in: width))
    case .home: offset = .zero
    case .end: offset = layout.clampedOffset(.farthest, in: width)
    case .insert, .delete, .wider, .moveLeft, .moveRight: try edit(key)
    }
    try display()
  }

  /// Adapts the list to another width of the terminal.
  func resize(columns: Int) throws(WindowingError) {
    guard columns != self.columns else { return }
    self.columns = columns
    replaceStrip(strip)
    offset = follower.layout.clampedOffset(offset, in: width)
    try display()
  }

  private func scroll(to position: SnapPosition?) {
    if let position { offset = position.offset }
  }

  /// Edits the first item that is entirely in view, and keeps it at its position on the screen.
  private func edit(_ key: Key) throws(WindowingError) {
    let old = follower.layout
    let anchor = try old.anchor(at: offset, in: width)
    guard let edit = makeEdit(key, at: anchor?.index) else { return }
    var strip = old.strip
    strip.apply(edit)
    replaceStrip(strip)
    offset =
      if let anchor {
        try follower.layout.offset(keeping: anchor, after: [edit], of: old, in: width)
      } else { .zero }
  }

  /// Edits the content of the list, and describes the same edit for its strip.
  private func makeEdit(_ key: Key, at index: Int?) -> StripEdit? {
    if key == .insert {
      numbers.insert(nextNumber, at: index ?? 0)
      nextNumber += 1
      return .insert([Self.item(nextNumber - 1)], at: index ?? 0)
    }
    guard let index else { return nil }
    switch key {
    case .delete:
      numbers.remove(at: index)
      return .remove(index..<index + 1)
    case .wider:
      var item = strip[index]
      item.size = ItemSize(width: min(item.size.width + .px(4), .px(40)))
      return .update(at: index, to: [item])
    case .moveLeft where index > 0:
      numbers.swapAt(index, index - 1)
      return .move(index..<index + 1, to: index - 1)
    case .moveRight where index + 1 < numbers.count:
      numbers.swapAt(index, index + 1)
      return .move(index..<index + 1, to: index + 2)
    default:
      return nil
    }
  }

  /// Changes the strip or its layout. The cells stay: slots of the new layout reuse them.
  private func replaceStrip(_ strip: Strip) {
    let next = Self.follower(of: strip, columns: columns, &pools)
    end(follower.follow(next.layout, pools: next.pools).didEndDisplaying)
  }

  /// Moves the viewport to `offset`, and configures the cells of the items that come into view.
  private func display() throws(WindowingError) {
    let change = try follower.move(to: offset..<offset + width)
    end(change.didEndDisplaying)
    for item in change.willDisplay {
      let cell = cells[item.slot] ?? Cell(item.slot, kind: Self.kinds[Int(item.kind.number)])
      cells[item.slot] = cell
      cell.show(numbers[item.index], width: Int(item.size.px))
      displayCount += 1
    }
  }

  private func end(_ items: [WindowItem]) {
    for item in items { cells[item.slot]?.hide() }
  }
}

extension ListView {
  /// The screen as lines of text: three lines of cells, and a status line.
  var frame: String {
    var rows = [[Character]](repeating: Array(repeating: " ", count: columns), count: 3)
    for item in follower.window?.items ?? [] {
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

/// A reusable cell. It draws a box with the number of an item and the name of its slot.
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
