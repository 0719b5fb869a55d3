package import Catalogue
import Windowing

/// Changes the strips of a PostgreSQL database: one writer at a time for each strip, whichever
/// server it comes to.
///
///     let catalogue = try PostgresCatalogue(address)
///     let editor = PostgresEditor(catalogue)
///     try editor.edit("albums", batch, expecting: .anything, once: nil)
///     // and the catalogue's newest edition has it
package final class PostgresEditor: StripEditor {
  private let catalogue: PostgresCatalogue
  let sessions: Sessions
  private let foldings: FoldingQueue
  package let width = 4

  /// - Parameters:
  ///   - catalogue: has each change as soon as it is made.
  ///   - pace: when changes are folded into a strip's layout.
  package init(_ catalogue: PostgresCatalogue, folding pace: FoldingPace = FoldingPace()) {
    self.catalogue = catalogue
    foldings = FoldingQueue(catalogue.database.address, pace)
    // One more, to ask about tokens.
    sessions = .ofWriter(catalogue.database.address, limit: width + 1)
  }

  package func edit(
    _ strip: String, _ batch: EditBatch, expecting: RevisionGuard, once: IdempotencyKey?,
    by deadline: WriteDeadline
  ) throws(CatalogueError) -> Int64 {
    let (revision, pending) = try sessions.write(by: deadline) { session in
      guard var former = try StripRow.lock(session, name: strip) else {
        throw CatalogueError.noSuchStrip(strip)
      }
      if let once, let made = try once.revision(of: strip, session) { return (made, 0) }
      try expecting.check(former.revision)
      try Folding.foldSome(&former, session)
      var pending = 0
      let revision = try change(former, session) { row, succession in
        var rows = try EditedRows(session, strip: row, succession, ids: batch.ids)
        try batch.apply(to: &rows)
        succession = try rows.finish()
        row.totals += rows.difference
        row.pending += rows.changeCount
        pending = row.pending
      }
      try once?.keep(revision, of: strip, session)
      return (revision, pending)
    }
    foldings.add(strip, pending: pending)
    try catalogue.follow(strip)
    return revision
  }

  package func set(
    _ strip: String, _ patch: SettingsPatch, expecting: RevisionGuard, by deadline: WriteDeadline
  ) throws(CatalogueError) -> SettingsMade {
    try StripName.check(strip)
    let made = try sessions.write(by: deadline) { session in
      while true {
        let former = try StripRow.lock(session, name: strip)
        try expecting.check(former?.revision)
        if let former {
          let revision = try change(former, session) { row, _ in
            row.settings = try patch.applied(to: row.settings, of: strip)
          }
          return SettingsMade(revision: revision, isNew: false)
        }
        let settings = try patch.applied(to: StripSettings(title: strip), of: strip)
        let clock = try session.clock()
        if let row = try StripRow.make(session, name: strip, settings: settings, clock: clock) {
          try session.notifyOfList()
          return SettingsMade(revision: row.revision, isNew: true)
        }
      }
    }
    catalogue.followList()
    try catalogue.follow(strip)
    return made
  }

  package func remove(
    _ strip: String, expecting: RevisionGuard, by deadline: WriteDeadline
  ) throws(CatalogueError) {
    try sessions.write(by: deadline) { session in
      guard let row = try StripRow.lock(session, name: strip) else {
        throw CatalogueError.noSuchStrip(strip)
      }
      try expecting.check(row.revision)
      try row.remove(session)
    }
    catalogue.followList()
    try catalogue.follow(strip)
  }

  package func permission(
    of secret: [UInt8], for strip: String
  ) throws(CatalogueError) -> Permission {
    try sessions.read { Permission(of: try TokenGrant(of: secret, $0), for: strip) }
  }

  /// Makes one revision of a strip that is locked.
  private func change(
    _ former: StripRow, _ session: Session,
    _ body: (inout StripRow, inout RevisionWriter) throws -> Void
  ) throws -> Int64 {
    var row = former
    row.revision += 1
    var succession = RevisionWriter(session, from: former, to: row.revision)
    try body(&row, &succession)
    try row.update(session)
    try succession.finish()
    return row.revision
  }
}

extension IdempotencyKey {
  /// The revision that the change of this key has made, if it has been made.
  ///
  /// - Throws: `.conflict` where the key stood for another change.
  fileprivate func revision(of strip: String, _ session: Session) throws -> Int64? {
    let found = try session.run(
      "SELECT body, revision FROM once WHERE strip = $1 AND key = $2 AND made > $3",
      [.text(strip), .bytes(key), .integer(try session.clock() - Self.lifetime)]
    ).first { (try $0.bytes(0), try $0.integer(1)) }
    guard let found else { return nil }
    guard Digest(bytes: found.0) == body else {
      throw CatalogueError.conflict("Idempotency-Key: it has been used for another change")
    }
    return found.1
  }

  fileprivate func keep(_ revision: Int64, of strip: String, _ session: Session) throws {
    let now = try session.clock()
    try session.run(
      "DELETE FROM once WHERE strip = $1 AND made <= $2",
      [.text(strip), .integer(now - Self.lifetime)])
    try session.run(
      "INSERT INTO once (strip, key, body, revision, made) VALUES ($1, $2, $3, $4, $5)",
      [.text(strip), .bytes(key), .bytes(body.bytes), .integer(revision), .integer(now)])
  }
}
