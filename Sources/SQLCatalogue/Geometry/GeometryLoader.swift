package import Catalogue
import Items
import Views
package import Windowing

/// Reads the whole geometry of a strip: the chunks of its generation, and the change log after them.
package enum GeometryLoader {
  /// The strip at the revision of `row`.
  ///
  /// - Parameter itemWidth: the width of items without a size; nil for the setting in the row.
  /// - Throws: `.corrupt` if the geometry is damaged, or does not begin and end as the items do.
  /// - Complexity: O(*n*); 8 bytes an item are read, which takes 0.07 s of processor time for four million items.
  package static func load(
    _ row: StripRow, itemWidth: Length? = nil, progress: LoadProgress? = nil,
    _ session: any SQLSession
  ) throws -> IndexedStrip {
    try withCorruptionContext(of: row.name) {
      let itemWidth = itemWidth ?? row.settings.itemWidth
      var decoder = GeometryDecoder(kinds: row.kinds, itemWidth: itemWidth)
      try GeometryChunkStore(session, of: row).read(into: &decoder, progress)
      var indexed = decoder.finish()
      guard indexed.sortKeys.areAscending else {
        throw CatalogueError.corrupt("chunks of its layout overlap")
      }
      let changeLog = try row.changes(after: row.layoutRevision, session)
      try indexed.apply(changeLog.merged, itemWidth: itemWidth)
      try indexed.sortKeys.check(against: row, session)
      guard indexed.strip.count == row.totals.count else {
        throw CatalogueError.corrupt(
          "its layout has \(indexed.strip.count) items, its row \(row.totals.count)")
      }
      return indexed
    }
  }
}

extension IndexedStrip {
  mutating func undo(_ changeLog: [GeometryChanges], itemWidth: Length) throws {
    if let appendedFrom = changeLog.appendedFrom { truncate(at: appendedFrom) }
    try apply(changeLog.inverse, itemWidth: itemWidth)
  }
}

extension SortKeys {
  /// Compares the first and the last sort key with those of the items.
  ///
  /// - Throws: `.corrupt` if rows are missing.
  fileprivate func check(against row: StripRow, _ session: any SQLSession) throws {
    let rows = ItemRows(session, of: row)
    let first = try rows.sortKeys(after: nil, limit: 1).first
    let last = try rows.sortKeys(before: nil, limit: 1).first
    guard first == (count > 0 ? self[0] : nil), last == (count > 0 ? self[count - 1] : nil) else {
      throw CatalogueError.corrupt(
        "its layout and its items differ in the first or last sort key")
    }
  }
}
