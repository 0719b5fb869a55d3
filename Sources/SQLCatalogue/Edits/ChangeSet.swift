import Catalogue
import Items
import Views

/// The changes of a committed edit, for the snapshot in memory.
struct ChangeSet: Sendable {
  let previous: StripRow
  let row: StripRow
  let changes: GeometryChanges
  /// Empty if more than `contentLimit` items changed.
  var contents: [(sortKey: Int64, content: ItemContent)] = []

  static let contentLimit = 256
}
