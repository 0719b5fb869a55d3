extension EditBatch {
  /// The ids of all items that the operations name, each once: what a store may look up beforehand.
  package var ids: [String] {
    var seen: Set<[UInt8]> = []
    return operations.flatMap(\.edit.ids).filter { seen.insert(Array($0.utf8)).inserted }
  }
}

extension Edit {
  fileprivate var ids: [String] {
    switch self {
    case .insert(let items, let place): items.map(\.id) + [place.neighbour].compactMap(\.self)
    case .update(let id, _): [id]
    case .move(let ids, let place): ids + [place.neighbour].compactMap(\.self)
    case .remove(let ids): ids
    }
  }
}
