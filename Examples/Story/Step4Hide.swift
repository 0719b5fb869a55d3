/// Step 4: a leaving cell is hidden, and stays where it is in the tree of views.
///
/// Nothing is removed or added any more. One fault is left, and it is the one that matters: which cell draws an item
/// depends on how the reader has scrolled. Only the list that was scrolled knows it, and it must remember it.
package final class HiddenCells: ListView {
  private let items: [Item]
  private let width: Int
  private let frames: Frames
  package private(set) var cells: [Cell] = []
  package private(set) var counts = Counts()

  package init(_ items: [Item], width: Int) {
    (self.items, self.width, frames) = (items, width, Frames(items))
    scroll(to: 0)
  }

  package func scroll(to offset: Int) {
    let range = frames.items(meeting: offset..<offset + width)
    for cell in cells where !range.contains(cell.index) { cell.isHidden = true }
    let visible = Set(cells.filter { !$0.isHidden }.map(\.index))
    for index in range where !visible.contains(index) {
      let cell = unusedCell(kind: items[index].kind)
      cell.show(index, at: frames.start(of: index))
      counts.shown += 1
    }
  }

  private func unusedCell(kind: String) -> Cell {
    if let cell = cells.first(where: { $0.isHidden && $0.kind == kind }) { return cell }
    let cell = Cell(kind: kind, number: counts.made)
    cells.append(cell)
    counts.made += 1
    return cell
  }
}
