import Catalogue
import HTTP
import Windowing

extension WindowAnswer {
  /// An item of the window: where it stands, and what it shows.
  struct Card {
    let place: WindowItem
    let content: ItemContent
  }

  /// The items that the caller does not hold yet, in order.
  ///
  /// - Complexity: O(items), one read for each turn of the strip that they lie in, which is one
  ///   unless it wraps.
  func cards() throws(Problem) -> [Card] {
    var cards: [Card] = []
    cards.reserveCapacity(window.items.count)
    try forEachTurn { places, base, range throws(Problem) in
      let contents = try edition.contents(of: range)
      for place in places {
        cards.append(Card(place: place, content: contents[place.index - base - range.lowerBound]))
      }
    }
    return cards
  }

  /// The same, handed out one by one as bytes that last while `take` looks at them.
  func readCards(_ take: (WindowItem, ItemBytes) -> Void) throws(Problem) {
    try forEachTurn { places, base, range throws(Problem) in
      var next = places.startIndex
      var index = base + range.lowerBound
      try edition.read(range) { item in
        // The source knows of hidden items, which have no place.
        if next < places.endIndex, places[next].index == index {
          take(places[next], item)
          next += 1
        }
        index += 1
      }
    }
  }

  /// Calls `body` with the places that lie in one turn, the index at which that turn starts, and what
  /// is to be read of it.
  private func forEachTurn(
    _ body: (ArraySlice<WindowItem>, Int, Range<Int>) throws(Problem) -> Void
  ) throws(Problem) {
    var rest = window.items[...]
    if let have { rest = window.items.filter { !have.contains($0.index) }[...] }
    while let first = rest.first {
      let base = layout.turnStart(of: first.index)
      let places = rest.prefix { $0.index < base + layout.count }
      guard let last = places.last else { break }
      try body(places, base, first.index - base..<last.index - base + 1)
      rest = rest[places.endIndex...]
    }
  }
}

extension Layout {
  /// The index of the first item of the turn that `index` lies in: 0 unless the strip wraps.
  fileprivate func turnStart(of index: Int) -> Int {
    guard wraps else { return 0 }
    let item = index % count
    return index - (item < 0 ? item + count : item)
  }
}
