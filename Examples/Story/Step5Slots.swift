/// Step 5: a rule gives each item its cell: slot = rank mod pool.
///
/// The rank of an item counts the items of its kind before it. The pool of a kind is the most items of the kind that
/// one viewport can ever show. So neighbours never share a slot, and no list has to remember which cell draws an item: it can
/// be computed, on the page, on a server, or by a reader with a pencil.
package final class SlottedCells: ListView {
  private let items: [Item]
  private let width: Int
  private let frames: Frames
  private let ranks: [Int]
  private let pools: [String: Int]
  private var slots: [Slot: Cell] = [:]
  private var visible = 0..<0
  package private(set) var counts = Counts()

  private struct Slot: Hashable {
    let kind: String
    let number: Int
  }

  package init(_ items: [Item], width: Int) {
    (self.items, self.width, frames) = (items, width, Frames(items))
    var next: [String: Int] = [:]
    ranks = items.map { item in
      defer { next[item.kind, default: 0] += 1 }
      return next[item.kind, default: 0]
    }
    pools = Self.pools(items, ranks, frames, width)
    scroll(to: 0)
  }

  package var cells: [Cell] { Array(slots.values) }

  package func scroll(to offset: Int) {
    let range = frames.items(meeting: offset..<offset + width)
    for index in visible where !range.contains(index) { slots[slot(of: index)]?.isHidden = true }
    for index in range where !visible.contains(index) {
      cell(slot(of: index)).show(index, at: frames.start(of: index))
      counts.shown += 1
    }
    visible = range
  }

  private func slot(of index: Int) -> Slot {
    let kind = items[index].kind
    return Slot(kind: kind, number: ranks[index] % pools[kind, default: 1])
  }

  private func cell(_ slot: Slot) -> Cell {
    if let cell = slots[slot] { return cell }
    let cell = Cell(kind: slot.kind, number: slot.number)
    slots[slot] = cell
    counts.made += 1
    return cell
  }

  /// For each item, the items of its kind from it to the last one that a viewport can show beside it.
  private static func pools(
    _ items: [Item], _ ranks: [Int], _ frames: Frames, _ width: Int
  ) -> [String: Int] {
    var pools: [String: Int] = [:]
    for index in items.indices {
      let kind = items[index].kind
      // The viewport that shows the least of the item: its last px.
      let last = frames.end(of: index) - 1
      let beside = frames.items(meeting: last..<last + width)
      if let other = beside.last(where: { items[$0].kind == kind }) {
        pools[kind] = max(pools[kind] ?? 1, ranks[other] - ranks[index] + 1)
      }
    }
    return pools
  }
}
