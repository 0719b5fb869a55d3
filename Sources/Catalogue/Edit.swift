/// One change of a strip as it is asked for: items are named by their ids.
package enum Edit: Hashable, Sendable {
  /// Items come.
  case insert([Item], Place)
  /// An item changes, and stays where it is.
  case update(id: String, ItemPatch)
  /// Items go elsewhere, and stand there in the order given.
  case move(ids: [String], Place)
  /// Items go.
  case remove(ids: [String])

  /// Where items come to stand.
  package enum Place: Hashable, Sendable {
    /// Before an item, or at the end of the strip.
    case before(String?)
    /// Behind an item, or at the front of the strip.
    case after(String?)

    /// The item next to it.
    var neighbour: String? {
      switch self {
      case .before(let id), .after(let id): id
      }
    }
  }

  /// The operation's name, as `op` has it.
  var name: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .move: "move"
    case .remove: "remove"
    }
  }
}
