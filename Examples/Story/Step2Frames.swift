/// Step 2: the frames of all items, and cells for the visible ones.
///
/// When the items in view go from 0..<8 to 2..<10, the items 0 and 1 leave, and 8 and 9 enter. A leaving cell is
/// thrown away, and an entering item gets a new one. The list is small now, and never stops making cells.
package final class VisibleCells: ListView {
  private let items: [Item]
  private let width: Int
  private let frames: Frames
  private var visible: [Int: Cell] = [:]
  package private(set) var counts = Counts()

  package init(_ items: [Item], width: Int) {
    (self.items, self.width, frames) = (items, width, Frames(items))
    scroll(to: 0)
  }

  package var cells: [Cell] { Array(visible.values) }

  package func scroll(to offset: Int) {
    let range = frames.items(meeting: offset..<offset + width)
    for index in visible.keys where !range.contains(index) { visible[index] = nil }
    for index in range where visible[index] == nil {
      let cell = Cell(kind: items[index].kind, number: counts.made)
      counts.made += 1
      cell.show(index, at: frames.start(of: index))
      counts.shown += 1
      visible[index] = cell
    }
  }
}
