import Catalogue
import Items

// The column `body` has the digest of the request's body, then the undo if the request asked for one.
extension IdempotencyKey {
  /// The revision in the row of a removal. It is greater than the revisions of all later strips of the same name, so that
  /// a repeated removal removes none of these strips.
  static let removal = Int64.max

  /// The stored result of a change with this key; nil if the key is new. A key counts if it was stored since the strip was
  /// created. The key of a removal always counts.
  ///
  /// - Parameter row: the strip; nil if it does not exist.
  /// - Throws: `.conflict` if the key was used for another change, or with another value of `undo`.
  func result(
    of strip: String, since row: StripRow?, hasUndo: Bool = false, _ session: any SQLSession
  ) throws -> EditResult? {
    let found = try session.first(
      """
      SELECT body, revision FROM idempotency_key
      WHERE strip = $1 AND key = $2 AND created > $3 AND revision >= $4
      """,
      [
        .text(strip), .bytes(key), .integer(try session.clock() - Self.lifetime),
        .integer(row?.firstRevision ?? Self.removal),
      ]
    ) { (body: try $0.bytes(0), revision: try $0.integer(1)) }
    guard let found else { return nil }
    let undo = found.body.dropFirst(Digest.count)
    guard Digest(bytes: Array(found.body.prefix(Digest.count))) == body, hasUndo != undo.isEmpty
    else { throw CatalogueError.conflict("Idempotency-Key: it has been used for another change") }
    return EditResult(revision: found.revision, undo: hasUndo ? Array(undo) : nil)
  }

  func store(
    _ result: EditResult, of strip: String, _ session: any SQLSession
  ) throws {
    // An expired key can still be there.
    try session.run(
      """
      INSERT INTO idempotency_key (strip, key, body, revision, created) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (strip, key) DO UPDATE
      SET body = excluded.body, revision = excluded.revision, created = excluded.created
      """,
      [
        .text(strip), .bytes(key), .bytes(body.bytes + (result.undo ?? [])),
        .integer(result.revision),
        .integer(try session.clock()),
      ])
  }
}
