/// One operation of an edit: items are named by their ids.
package enum Edit: Hashable, Sendable {
  case insert([Item], Place)
  /// Changes an item, which keeps its place.
  case update(id: String, ItemPatch)
  /// Moves items to a place, in the order given.
  case move(ids: [String], Place)
  case remove(ids: [String])

  /// A place between two items.
  package enum Place: Hashable, Sendable {
    /// Before an item; nil is the end of the strip.
    case before(String?)
    /// After an item; nil is the front of the strip.
    case after(String?)

    /// The id of the item that the place is next to.
    var neighbour: String? {
      switch self {
      case .before(let id), .after(let id): id
      }
    }
  }

  var name: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .move: "move"
    case .remove: "remove"
    }
  }

  fileprivate var ids: [String] {
    switch self {
    case .insert(let items, let place): items.map(\.id) + [place.neighbour].compactMap(\.self)
    case .update(let id, _): [id]
    case .move(let ids, let place): ids + [place.neighbour].compactMap(\.self)
    case .remove(let ids): ids
    }
  }
}

extension EditBatch {
  /// The ids of all items that the operations name, each once: a store can look them up in advance.
  package var ids: [String] {
    var seen: Set<[UInt8]> = []
    return operations.flatMap(\.edit.ids).filter { seen.insert(Array($0.utf8)).inserted }
  }
}

/// A strip's items, as a store lets a batch change them. What an operation means is defined here alone.
package protocol EditableItems {
  /// The item with this id; nil if there is none.
  mutating func item(_ id: String) throws -> Item?

  /// Inserts items at a place.
  ///
  /// - Precondition: No item has one of their ids, and the place's neighbour exists.
  mutating func insert(_ items: [Item], _ place: Edit.Place) throws

  /// Replaces the item with the same id.
  ///
  /// - Precondition: The item exists.
  mutating func replace(_ item: Item) throws

  /// - Precondition: The item exists.
  mutating func remove(_ id: String) throws
}

extension EditBatch {
  /// Applies the operations in order.
  ///
  /// - Throws: `.conflict` for an id that is unknown, repeated, or moved next to itself; `.invalid`
  ///   for an item that becomes too large. The sentence names the operation. Earlier operations
  ///   stay applied: the store must roll back.
  package func apply(to items: inout some EditableItems) throws {
    for operation in operations {
      do {
        try operation.edit.apply(to: &items)
      } catch let error as CatalogueError {
        throw error.located(at: operation.label)
      }
    }
  }
}

extension Edit {
  fileprivate func apply(to items: inout some EditableItems) throws {
    switch self {
    case .insert(let new, let place):
      try Self.checkUnique(new.map(\.id))
      for item in new where try items.item(item.id) != nil {
        throw CatalogueError.conflict("there is an item \(item.id.quoted) already")
      }
      if let id = place.neighbour { _ = try items.existing(id) }
      try items.insert(new, place)
    case .update(let id, let patch):
      try items.replace(patch.applied(to: items.existing(id)))
    case .move(let ids, let place):
      try Self.checkUnique(ids)
      if let id = place.neighbour {
        guard !ids.contains(where: { $0.utf8.elementsEqual(id.utf8) }) else {
          throw CatalogueError.conflict("the item \(id.quoted) cannot be moved next to itself")
        }
        _ = try items.existing(id)
      }
      var moved: [Item] = []
      for id in ids { moved.append(try items.existing(id)) }
      for id in ids { try items.remove(id) }
      try items.insert(moved, place)
    case .remove(let ids):
      try Self.checkUnique(ids)
      for id in ids {
        _ = try items.existing(id)
        try items.remove(id)
      }
    }
  }

  private static func checkUnique(_ ids: [String]) throws {
    var seen: Set<[UInt8]> = []
    for id in ids where !seen.insert(Array(id.utf8)).inserted {
      throw CatalogueError.conflict("the id \(id.quoted) is repeated")
    }
  }
}

extension EditableItems {
  fileprivate mutating func existing(_ id: String) throws -> Item {
    guard let item = try item(id) else {
      throw CatalogueError.conflict("there is no item \(id.quoted)")
    }
    return item
  }
}
