import Windowing

/// Step 6: the same rule, computed by the library.
///
/// `Strip` has the sums of the sizes in a tree, so a window costs O(log n + items in it), an edit O(log n), and a pool
/// is not computed again for the parts that an edit leaves alone. A server does the same for every page.
package final class EngineCells: ListView {
  private let width: Int
  private let kinds: [String]
  private let layout: StripLayout
  private let pools: Pools
  private var slots: [Slot: Cell] = [:]
  private var window: Window?
  package private(set) var counts = Counts()

  package init(_ items: [Item], width: Int) {
    self.width = width
    let kinds = Set(items.map(\.kind)).sorted()
    self.kinds = kinds
    let strip = Strip(kinds: kinds, count: items.count) { index in
      StripItem(
        size: ItemSize(width: .px(items[index].width)),
        kind: Kind(number: kinds.firstIndex(of: items[index].kind) ?? 0))
    }
    layout = StripLayout(strip, height: .px(180), gap: .zero)
    pools = layout.pools(poolLength: .px(width))
    scroll(to: 0)
  }

  package var cells: [Cell] { Array(slots.values) }

  package func scroll(to offset: Int) {
    // It throws for positions beyond 2^47 px.
    guard
      let next = try? layout.window(meeting: .px(offset)..<Length.px(offset + width), pools: pools)
    else { return }
    for item in window?.items ?? [] where !next.range.contains(item.index) {
      slots[item.slot]?.isHidden = true
    }
    for item in next.items where !(window?.range ?? 0..<0).contains(item.index) {
      cell(item.slot).show(item.index, at: Int(item.start.px))
      counts.shown += 1
    }
    window = next
  }

  private func cell(_ slot: Slot) -> Cell {
    if let cell = slots[slot] { return cell }
    let cell = Cell(kind: kinds[Int(slot.kind.number)], number: slot.number)
    slots[slot] = cell
    counts.made += 1
    return cell
  }
}
