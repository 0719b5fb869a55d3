/// Items in an order that a batch changes: what a store has to offer, so that what an operation
/// means stands here and nowhere else.
package protocol EditableItems {
  /// The item of this id, if there is one.
  mutating func item(_ id: String) throws -> Item?

  /// Puts items to a place; none of their ids is there, the neighbour is.
  mutating func insert(_ items: [Item], _ place: Edit.Place) throws

  /// Puts an item in the place of the one of the same id, which is there.
  mutating func replace(_ item: Item) throws

  /// Takes out an item that is there.
  mutating func remove(_ id: String) throws
}

extension EditBatch {
  /// Makes the changes in order.
  ///
  /// - Throws: `.conflict` for an id that is unknown, repeated, or moved next to itself; `.invalid`
  ///   for an item that grows too large; both name the operation. What was changed before stays
  ///   changed: the store undoes it.
  package func apply(to items: inout some EditableItems) throws {
    for operation in operations {
      do {
        try operation.edit.apply(to: &items)
      } catch let error as CatalogueError {
        throw error.named(operation.label)
      }
    }
  }
}

extension Edit {
  fileprivate func apply(to items: inout some EditableItems) throws {
    switch self {
    case .insert(let new, let place):
      try Self.checkOnce(new.map(\.id))
      for item in new where try items.item(item.id) != nil {
        throw CatalogueError.conflict("\(item.id.quoted) is there already")
      }
      if let id = place.neighbour { _ = try items.known(id) }
      try items.insert(new, place)
    case .update(let id, let patch):
      try items.replace(patch.applied(to: items.known(id)))
    case .move(let ids, let place):
      try Self.checkOnce(ids)
      if let id = place.neighbour {
        guard !ids.contains(where: { $0.utf8.elementsEqual(id.utf8) }) else {
          throw CatalogueError.conflict("\(id.quoted) cannot be moved next to itself")
        }
        _ = try items.known(id)
      }
      var moved: [Item] = []
      for id in ids { moved.append(try items.known(id)) }
      for id in ids { try items.remove(id) }
      try items.insert(moved, place)
    case .remove(let ids):
      try Self.checkOnce(ids)
      for id in ids {
        _ = try items.known(id)
        try items.remove(id)
      }
    }
  }

  private static func checkOnce(_ ids: [String]) throws {
    var seen: Set<[UInt8]> = []
    for id in ids where !seen.insert(Array(id.utf8)).inserted {
      throw CatalogueError.conflict("\(id.quoted) is named twice")
    }
  }
}

extension EditableItems {
  fileprivate mutating func known(_ id: String) throws -> Item {
    guard let item = try item(id) else {
      throw CatalogueError.conflict("there is no item \(id.quoted)")
    }
    return item
  }
}
