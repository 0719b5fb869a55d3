/// One entry of the list. `kind` is the reuse identifier: a heading never becomes an album.
package struct Item {
  package let kind: String
  /// In px.
  package let width: Int
}

/// A view that draws one item at a time. Making one is what costs, so the steps count it.
package final class Cell {
  package let kind: String
  /// Tells cells apart.
  package let name: String
  /// The index of the item that the cell draws.
  package private(set) var index = -1
  package private(set) var start = 0
  package var isHidden = false

  package init(kind: String, number: Int) {
    self.kind = kind
    name = "\(kind)-\(number)"
  }

  package func show(_ index: Int, at start: Int) {
    (self.index, self.start, isHidden) = (index, start, false)
  }
}

/// A horizontal list of items. Each step of the story is one.
package protocol ListView: AnyObject {
  init(_ items: [Item], width: Int)

  /// Moves the viewport, and puts the cells in their places.
  func scroll(to offset: Int)

  /// The cells that are children of the list, hidden or not.
  var cells: [Cell] { get }

  /// How many cells the list has made, and how often it has given a cell an item.
  var counts: Counts { get }
}

package struct Counts {
  package var made = 0
  package var shown = 0
}

extension ListView {
  package var visibleCells: [Cell] {
    cells.filter { !$0.isHidden }.sorted { $0.index < $1.index }
  }
}
