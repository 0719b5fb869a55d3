/// Step 3: a leaving cell waits in a queue of its kind, and an entering item dequeues it.
///
/// UITableView has done this since 2008. The list makes as many cells as were ever in view at once. But each cell leaves
/// the tree of views, and comes back: work at each step.
package final class DequeuedCells: ListView {
  private let items: [Item]
  private let width: Int
  private let frames: Frames
  private var visible: [Int: Cell] = [:]
  private var queues: [String: [Cell]] = [:]
  package private(set) var counts = Counts()

  package init(_ items: [Item], width: Int) {
    (self.items, self.width, frames) = (items, width, Frames(items))
    scroll(to: 0)
  }

  package var cells: [Cell] { Array(visible.values) }

  package func scroll(to offset: Int) {
    let range = frames.items(meeting: offset..<offset + width)
    for (index, cell) in visible.sorted(by: { $0.key > $1.key }) where !range.contains(index) {
      visible[index] = nil
      queues[cell.kind, default: []].append(cell)
    }
    for index in range where visible[index] == nil {
      let cell = dequeue(kind: items[index].kind)
      cell.show(index, at: frames.start(of: index))
      counts.shown += 1
      visible[index] = cell
    }
  }

  private func dequeue(kind: String) -> Cell {
    if let cell = queues[kind]?.popLast() { return cell }
    defer { counts.made += 1 }
    return Cell(kind: kind, number: counts.made)
  }
}
