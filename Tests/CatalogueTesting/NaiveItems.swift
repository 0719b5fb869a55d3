package import Catalogue
package import Items

/// Items in an array: a naive model of a strip and of edit batches.
package struct NaiveItems: EditableItems {
  package var items: [Item]

  package init(items: [Item]) { self.items = items }

  package func item(_ id: String) -> Item? { items.first { same($0.id, id) } }

  package mutating func insert(_ new: [Item], _ destination: Edit.Destination) {
    let index: Int
    switch destination {
    case .before(nil): index = items.count
    case .after(nil): index = 0
    case .before(let id?): index = items.firstIndex { same($0.id, id) } ?? 0
    case .after(let id?): index = (items.firstIndex { same($0.id, id) } ?? 0) + 1
    }
    items.insert(contentsOf: new, at: index)
  }

  package mutating func replace(_ item: Item) {
    items = items.map { same($0.id, item.id) ? item : $0 }
  }

  package mutating func remove(_ id: String) { items.removeAll { same($0.id, id) } }

  package func ids(after ids: [String]) -> [String?] {
    ids.map { id in items.drop { !same($0.id, id) }.dropFirst().first?.id }
  }
}

private func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
