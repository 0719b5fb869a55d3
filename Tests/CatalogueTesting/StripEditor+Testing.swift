package import Catalogue
package import Items

// Changes with a deadline ten seconds from now.
extension StripEditor {
  @discardableResult
  package func edit(
    _ batch: EditBatch, of strip: String = "s", expecting: RevisionPrecondition = .anything,
    idempotencyKey: IdempotencyKey? = nil
  ) throws(CatalogueError) -> Int64 {
    try edit(
      strip, batch, expecting: expecting, idempotencyKey: idempotencyKey, undoLimit: nil,
      by: WriteDeadline()
    ).revision
  }

  /// Edits a strip with a batch in JSON.
  @discardableResult
  package func edit(_ json: String, of strip: String = "s") throws -> Int64 {
    try edit(EditBatch(Array(json.utf8), as: .array), of: strip)
  }

  /// Changes settings of the strip `s` with a patch in JSON.
  @discardableResult
  package func set(_ json: String) throws -> SettingsResult {
    try set("s", SettingsPatch(json: Array(json.utf8)), expecting: .anything)
  }

  package func set(
    _ strip: String, _ patch: SettingsPatch, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey? = nil
  ) throws(CatalogueError) -> SettingsResult {
    try set(strip, patch, expecting: expecting, idempotencyKey: idempotencyKey, by: WriteDeadline())
  }

  package func remove(
    _ strip: String, expecting: RevisionPrecondition, idempotencyKey: IdempotencyKey? = nil
  ) throws(CatalogueError) {
    try remove(strip, expecting: expecting, idempotencyKey: idempotencyKey, by: WriteDeadline())
  }
}
