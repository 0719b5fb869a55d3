package import Windowing

/// Gathers the sizes, kinds and groups of items, in order, and makes a strip of them.
///
///     var building = StripBuilding(itemWidth: settings.itemWidth)
///     for item in items { try building.add(item) }
///     building.strip()
package struct StripBuilding {
  private let itemWidth: Length
  private var kinds = KindTable()
  private var items: [StripItem] = []
  private var runs: [(title: String, range: Range<Int>)] = []

  package init(itemWidth: Length) { self.itemWidth = itemWidth }

  /// - Throws: `.invalid` for a 65th kind.
  package mutating func add(_ item: Item) throws(CatalogueError) {
    let kind = Kind(number: try kinds.number(of: item.kind))
    items.append(StripItem(size: item.size(itemWidth: itemWidth), kind: kind))
    guard let group = item.group else { return }
    let index = items.count - 1
    if let last = runs.last, last.range.upperBound == index,
      last.title.utf8.elementsEqual(group.utf8)
    {
      runs[runs.count - 1].range = last.range.lowerBound..<index + 1
    } else {
      runs.append((group, index..<index + 1))
    }
  }

  /// - Complexity: O(*n*).
  package func strip() -> Strip {
    var strip = Strip(kinds: kinds.names, items: items)
    for run in runs { strip.setGroup(run.title, for: run.range) }
    return strip
  }
}
