internal import HTTP
internal import Items
internal import Windowing

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
    var rest = window.items.filter { have?.contains($0.index) != true }[...]
    cards.reserveCapacity(rest.count)
    while let first = rest.first {
      let turn = layout.turnStart(of: first.index)
      let places = rest.prefix { $0.index < turn + layout.count }
      guard let last = places.last else { break }
      let contents = try edition.contents(of: first.index - turn..<last.index - turn + 1)
      for place in places {
        cards.append(Card(place: place, content: contents[place.index - first.index]))
      }
      rest = rest[places.endIndex...]
    }
    return cards
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
