package import Catalogue
package import Items
import Views

/// Changes the strips of a database. Each strip has one writer at a time, in all processes together.
///
/// An acknowledged change is on the disk.
package final class SQLStripEditor: StripEditor {
  private let catalogue: SQLStripCatalogue
  private let maintenance: Maintenance
  package var maxConcurrentWrites: Int { catalogue.database.writerCount }
  package var readOnlyReason: String? { catalogue.database.readOnlyReason }

  /// - Parameters:
  ///   - catalogue: gets each change as soon as it is committed.
  ///   - isServer: whether maintenance runs concurrently with later changes, and not at the end of each.
  ///   - listDays: the days after which an unused list is deleted; nil for never.
  ///   - log: gets a sentence when maintenance in the background fails.
  package init(
    _ catalogue: SQLStripCatalogue, isServer: Bool, listDays: Int? = nil,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.catalogue = catalogue
    maintenance = Maintenance(
      catalogue.database, isServer: isServer, listDays: listDays,
      recordUses: { () throws(CatalogueError) in try catalogue.recordUses() }, log: log)
  }

  package func edit(
    _ strip: String, _ batch: EditBatch, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey?, undoLimit: Int?, by deadline: WriteDeadline
  ) throws(CatalogueError) -> EditResult {
    var undo: [UInt8]?
    let undoLimit =
      idempotencyKey == nil ? undoLimit : undoLimit.map { min($0, IdempotencyKey.undoLimit) }
    let change = try write(strip, by: deadline) { session in
      guard let previous = try lock(strip, by: deadline, session) else {
        throw CatalogueError.noSuchStrip(strip)
      }
      if let previousResult = try idempotencyKey?.result(
        of: strip, since: previous, hasUndo: undoLimit != nil, session)
      {
        undo = previousResult.undo
        return .unchanged(previousResult.revision)
      }
      try expecting.check(previous.revision)
      var row = previous
      let writer = RevisionWriter(session, after: previous)
      var items = try EditedItems(session, of: previous, writer, ids: batch.ids)
      if let undoLimit {
        undo = try batch.apply(to: &items, undoLimit: undoLimit)
      } else {
        try batch.apply(to: &items)
      }
      let changes = try items.write(&row)
      try idempotencyKey?.store(
        EditResult(revision: row.revision, undo: undo), of: strip, session)
      guard let changes else { return .unchanged(row.revision) }
      return .committed(
        ChangeSet(
          previous: previous, row: row, changes: changes,
          contents: items.contents(changedBy: changes)))
    }
    if case .unchanged = change { maintainKeys(idempotencyKey) }
    return EditResult(revision: change.revision, undo: undo)
  }

  package func set(
    _ strip: String, _ patch: SettingsPatch, expecting: RevisionPrecondition,
    idempotencyKey: IdempotencyKey?, by deadline: WriteDeadline
  ) throws(CatalogueError) -> SettingsResult {
    try StripName.check(strip)
    let change = try write(strip, by: deadline) { session in
      while true {
        let found = try lock(strip, by: deadline, session)
        if let previousResult = try idempotencyKey?.result(of: strip, since: found, session) {
          return .unchanged(previousResult.revision)
        }
        try expecting.check(found?.revision)
        if let previous = found {
          var row = previous
          row.settings = try patch.applied(to: row.settings, of: strip)
          let changes = GeometryChanges([])
          let isChange = row.settings != previous.settings
          if isChange {
            var writer = RevisionWriter(session, after: previous)
            try writer.storeRevision(&row, changes)
          }
          try idempotencyKey?.store(EditResult(revision: row.revision), of: strip, session)
          guard isChange else { return .unchanged(row.revision) }
          return .committed(ChangeSet(previous: previous, row: row, changes: changes))
        }
        let settings = try patch.applied(to: StripSettings(title: strip), of: strip)
        if let row = try StripRow.create(session, name: strip, settings: settings) {
          try idempotencyKey?.store(EditResult(revision: row.revision), of: strip, session)
          try session.notify([.strip(strip), .catalogueChanged])
          return .applied(row.revision)
        }
      }
    }
    maintainKeys(idempotencyKey)
    if case .applied = change {
      return SettingsResult(revision: change.revision, isNew: true)
    }
    return SettingsResult(revision: change.revision, isNew: false)
  }

  package func remove(
    _ strip: String, expecting: RevisionPrecondition, idempotencyKey: IdempotencyKey?,
    by deadline: WriteDeadline
  ) throws(CatalogueError) {
    _ = try write(strip, by: deadline) { session in
      let found = try lock(strip, by: deadline, session)
      if let previousResult = try idempotencyKey?.result(of: strip, since: found, session) {
        return .unchanged(previousResult.revision)
      }
      guard let row = found else { throw CatalogueError.noSuchStrip(strip) }
      try expecting.check(row.revision)
      try row.remove(session)
      try idempotencyKey?.store(
        EditResult(revision: IdempotencyKey.removal), of: strip, session)
      return .removed(strip)
    }
  }

  /// Schedules maintenance, which deletes expired keys. A change with a key has to schedule it, because no later change
  /// may come.
  private func maintainKeys(_ key: IdempotencyKey?) {
    if key != nil { maintenance.schedule() }
  }

  package func store(
    _ list: ItemList, for strip: String, by deadline: WriteDeadline
  ) throws(CatalogueError) -> Bool {
    let isNew = try catalogue.database.write(by: deadline) { session in
      try withStripContext(of: strip) {
        // The lock keeps the strip until the list is committed.
        guard try lock(strip, by: deadline, session) != nil else {
          throw CatalogueError.noSuchStrip(strip)
        }
        return try ListRows.store(list, of: strip, session)
      }
    }
    maintenance.schedule()
    return isNew
  }

  package func grants(of secrets: [[UInt8]]) throws(CatalogueError) -> [TokenGrant?] {
    try catalogue.grants(of: secrets)
  }

  package func maintain() throws(CatalogueError) { try maintenance.run(.due) }

  package func scheduleMaintenance() { maintenance.schedule() }

  package func close() {
    maintenance.close()
    catalogue.close()
  }

  /// - Throws: `.busy` if the lock was free only after the deadline: the client may have left.
  private func lock(
    _ strip: String, by deadline: WriteDeadline, _ session: any SQLSession
  ) throws -> StripRow? {
    let row = try StripRow.lock(session, name: strip)
    guard deadline.millisecondsLeft > 0 else {
      throw CatalogueError.busy(
        "the change waited \(WriteDeadline.seconds) s for its turn: try again later")
    }
    return row
  }

  private enum Change {
    case committed(ChangeSet)
    case applied(Int64)
    case removed(String)
    /// The strip stays at this revision: the change changes nothing, or the idempotency key was used for it.
    case unchanged(Int64)

    var revision: Int64 {
      switch self {
      case .committed(let change): change.row.revision
      case .applied(let revision), .unchanged(let revision): revision
      case .removed: 0
      }
    }
  }

  /// Commits a change, and reads it into the catalogue.
  ///
  /// - Throws: `.outcomeUnknown` if the change may have been committed. After any other error it has not.
  private func write(
    _ strip: String, by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Change
  ) throws(CatalogueError) -> Change {
    let change = try catalogue.database.write(by: deadline) { session in
      try withStripContext(of: strip) { try body(session) }
    }
    switch change {
    case .committed(let change):
      catalogue.apply(change)
      maintenance.schedule(change.row)
    case .applied: catalogue.forgetFirst()
    case .removed(let strip):
      catalogue.forgetFirst()
      catalogue.applyRemoval(of: strip)
      maintenance.scheduleOrphans()
    case .unchanged: break
    }
    return change
  }
}
