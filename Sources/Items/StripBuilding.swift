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

/// The kinds of one strip, numbered as they come.
package struct KindTable: Sendable {
  package private(set) var names: [String]
  private var numbers: [String: Int]

  package init(names: [String] = []) {
    self.names = names
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }

  /// The number of this kind; one not seen before gets the next.
  ///
  /// - Throws: `.invalid` for a 65th kind.
  package mutating func number(of name: String) throws(CatalogueError) -> Int {
    if let number = numbers[name] { return number }
    guard names.count < KindName.maximumCount else {
      throw .invalid(
        "kind: \(name.quoted) would be one more than the \(KindName.maximumCount) a strip may have")
    }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }
}
