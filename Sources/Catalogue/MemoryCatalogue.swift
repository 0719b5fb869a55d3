import Windowing

/// A catalogue of editions made beforehand: the built-in strips, and strips for tests.
///
///     let catalogue = try MemoryCatalogue([Edition(name: "letters", revision: 1, items: items)])
package struct MemoryCatalogue: StripCatalogue {
  private let editions: [Edition]
  private let places: [String: Int]

  /// - Throws: `.stripExists` for a name that comes twice, `.invalid` for one that is none.
  package init(_ editions: [Edition]) throws(CatalogueError) {
    var places: [String: Int] = [:]
    for (place, edition) in editions.enumerated() {
      try StripName.check(edition.name)
      guard places.updateValue(place, forKey: edition.name) == nil else {
        throw .stripExists(edition.name)
      }
    }
    self.editions = editions
    self.places = places
  }

  /// Nothing ever changes.
  package var changeCount: Int? { 0 }

  package func names(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [String] {
    var start = 0
    if let after {
      guard let place = places[after] else { throw .noSuchStrip(after) }
      start = place + 1
    }
    return editions[start...].prefix(limit).map(\.name)
  }

  package func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition {
    let edition: Edition
    if let name {
      guard let place = places[name] else { throw .noSuchStrip(name) }
      edition = editions[place]
    } else {
      guard let first = editions.first else { throw .noStrips }
      edition = first
    }
    guard revision == nil || revision == edition.revision else {
      throw .revisionUnknown(revision ?? 0)
    }
    return edition
  }
}

extension Edition {
  /// An edition of items held in memory.
  ///
  /// - Throws: `.invalid` for an id that comes twice or a 65th kind.
  /// - Complexity: O(*n*).
  package convenience init(
    name: String, settings: StripSettings? = nil, revision: Int64, items: [Item]
  ) throws(CatalogueError) {
    let settings = settings ?? StripSettings(title: name)
    try settings.check()
    var building = StripBuilding(itemWidth: settings.itemWidth)
    for item in items { try building.add(item) }
    self.init(
      name: name, settings: settings, revision: revision, strip: building.strip(),
      source: try ItemsInMemory(items))
  }
}

/// Items in an array, found by id through a dictionary.
private struct ItemsInMemory: ItemSource {
  private let items: [Item]
  private let indices: [[UInt8]: Int]

  init(_ items: [Item]) throws(CatalogueError) {
    var indices: [[UInt8]: Int] = [:]
    for (index, item) in items.enumerated() {
      guard indices.updateValue(index, forKey: Array(item.id.utf8)) == nil else {
        throw .invalid("id: \(item.id.quoted) is there twice")
      }
    }
    self.items = items
    self.indices = indices
  }

  func contents(of range: Range<Int>) -> [ItemContent] {
    items[range].map { ItemContent(id: $0.id, fields: $0.fields) }
  }

  func read(_ range: Range<Int>, _ take: (ItemBytes) -> Void) {
    for item in items[range] { ItemBytes.lend(item.id, item.fields, to: take) }
  }

  func items(in range: Range<Int>) -> [Item] { Array(items[range]) }

  func index(of id: String) -> Int? { indices[Array(id.utf8)] }
}
