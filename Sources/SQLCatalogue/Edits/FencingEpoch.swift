import Catalogue
import Items

/// Keeps revision numbers unique after a backup is restored.
///
///     original   7 ── 8 ── 9            caches can hold answers at 8 and 9 for a year
///                └─ copy 7 ────── 2000 ── 2001
///
/// Before its first change, a restored copy gives each strip a new revision above the clock, with the same content. A
/// number therefore never names two contents.
package enum FencingEpoch {
  /// Makes the next revision of each strip, with the same content, and discards unfinished generations. Damaged rows stay
  /// as they are. The caller marks the database as an original in the same transaction.
  ///
  /// - Complexity: O(strips).
  package static func claim(_ session: any SQLSession) throws {
    for name in try session.map("SELECT name FROM strip ORDER BY place", [], { try $0.text(0) }) {
      do {
        guard var row = try StripRow.fetch(session, name: name) else { continue }
        let revision = Revision.next(clock: try session.clock(), after: row.revision)
        var writer = RevisionWriter(session, after: row, revision: revision)
        try writer.storeRevision(&row, GeometryChanges([]))
      } catch CatalogueError.corrupt {
        // Only a replacement can change this strip, and that has a revision above the clock.
        continue
      }
    }
    try CompactionLease.discardAll(lastStepBefore: .max, session)
    try session.notify([.resync])
  }
}
