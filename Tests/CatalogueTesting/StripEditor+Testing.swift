package import Catalogue
package import Items

// Changes with a deadline ten seconds from now.
extension StripEditor {
  package func edit(
    _ strip: String, _ batch: EditBatch, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey?
  ) throws(CatalogueError) -> Int64 {
    try edit(
      strip, batch, expecting: expecting, idempotencyKey: idempotencyKey, undoLimit: nil,
      by: WriteDeadline()
    ).revision
  }

  package func set(
    _ strip: String, _ patch: SettingsChange, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey? = nil
  ) throws(CatalogueError) -> SettingsResult {
    try set(
      strip, patch, expecting: expecting, idempotencyKey: idempotencyKey, by: WriteDeadline())
  }

  package func remove(
    _ strip: String, expecting: RevisionPrecondition, idempotencyKey: IdempotencyKey? = nil
  ) throws(CatalogueError) {
    try remove(strip, expecting: expecting, idempotencyKey: idempotencyKey, by: WriteDeadline())
  }
}
