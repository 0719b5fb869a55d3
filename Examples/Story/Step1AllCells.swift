/// Step 1: a cell for every item.
///
/// The list is right, and simple. It makes ten thousand cells before anything is on the screen, and keeps them.
package final class AllCells: ListView {
  package private(set) var cells: [Cell] = []
  package private(set) var counts = Counts()

  package init(_ items: [Item], width: Int) {
    var start = 0
    for (index, item) in items.enumerated() {
      let cell = Cell(kind: item.kind, number: index)
      cell.show(index, at: start)
      cells.append(cell)
      counts.made += 1
      counts.shown += 1
      start += item.width
    }
  }

  /// The screen clips the cells that are not in view.
  package func scroll(to offset: Int) {}
}
