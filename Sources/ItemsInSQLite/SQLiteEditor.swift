package import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
import Synchronization

/// Changes the strips of a SQLite file, one writer at a time.
///
///     let catalogue = try SQLiteCatalogue(path: path)
///     let editor = SQLiteEditor(catalogue)
///     try editor.edit("albums", batch, expecting: .anything, once: nil)
///     // and the catalogue's newest edition has it
///
/// What is acknowledged is on the disk. Other processes may write too: they wait for one another by
/// SQLite's lock, each change until its deadline.
package final class SQLiteEditor: StripEditor {
  let catalogue: SQLiteCatalogue
  private let upkeep: UpkeepTime
  private let logLimit: Int
  /// Opened for the first change: a file that cannot be written can still be read.
  private let openWriter = Mutex<Writer?>(nil)
  private let isClosed = Atomic(false)
  private let ended = DispatchGroup()

  private struct Writer {
    let connection: DatabaseQueue
    let upkeep: UpkeepQueue?
  }

  /// When chunks of layouts are brought up to date, and rows deleted that nobody needs any more.
  package enum UpkeepTime: Sendable {
    /// Later, beside other changes.
    case later
    /// With each change, as far as it cannot wait.
    case atOnce
  }

  /// - Parameters:
  ///   - catalogue: has each change as soon as it is made.
  ///   - upkeep: at once, for who makes one change and ends.
  ///   - logLimit: the bytes that SQLite's log may have before the change that made it so long takes
  ///     it into the file; with upkeep `.later` a shorter one is taken in beside the changes.
  package init(
    _ catalogue: SQLiteCatalogue, upkeep: UpkeepTime = .atOnce, logLimit: Int = 128 << 20
  ) {
    self.catalogue = catalogue
    self.upkeep = upkeep
    self.logLimit = logLimit
  }

  deinit { openWriter.withLock { Self.close($0) } }

  package func edit(
    _ strip: String, _ batch: EditBatch, expecting: RevisionGuard, once: IdempotencyKey?,
    by deadline: WriteDeadline
  ) throws(CatalogueError) -> Int64 {
    let (revision, coming) = try write(by: deadline) { db -> (Int64, PendingEdition?) in
      guard let former = try StripRow.fetch(db, name: strip) else {
        throw CatalogueError.noSuchStrip(strip)
      }
      if let once, let made = try once.revision(of: strip, db) { return (made, nil) }
      try expecting.check(former.revision)
      var coming: PendingEdition?
      let revision = try change(former, db) { row, succession in
        var edited = EditedStrip(try RowChanges(db, of: row, succession: succession))
        try batch.apply(to: &edited)
        row.totals += edited.difference
        succession = try edited.finish()
        let kinds = try row.kinds(db)
        coming = succession.step.flatMap {
          catalogue.coming(row, after: former, $0, kinds: kinds)
        }
      }
      try once?.keep(revision, of: strip, db)
      return (revision, coming)
    }
    try catalogue.follow(strip, with: coming)
    return revision
  }

  package func set(
    _ strip: String, _ patch: SettingsPatch, expecting: RevisionGuard, by deadline: WriteDeadline
  ) throws(CatalogueError) -> SettingsMade {
    try StripName.check(strip)
    let made = try write(by: deadline) { db in
      let former = try StripRow.fetch(db, name: strip)
      try expecting.check(former?.revision)
      guard let former else {
        let settings = try patch.applied(to: StripSettings(title: strip), of: strip)
        return SettingsMade(
          revision: try StripRow.make(strip, settings: settings, db).revision, isNew: true)
      }
      let revision = try change(former, db) { row, _ in
        row.settings = try patch.applied(to: row.settings, of: strip)
      }
      return SettingsMade(revision: revision, isNew: false)
    }
    try catalogue.follow(strip)
    return made
  }

  package func remove(
    _ strip: String, expecting: RevisionGuard, by deadline: WriteDeadline
  ) throws(CatalogueError) {
    try write(by: deadline) { db in
      guard let row = try StripRow.fetch(db, name: strip) else {
        throw CatalogueError.noSuchStrip(strip)
      }
      try expecting.check(row.revision)
      try row.remove(db)
    }
    try catalogue.follow(strip)
  }

  /// Does all the upkeep that there is to do, also what could wait.
  package func bringUpToDate() throws(CatalogueError) {
    try catching(catalogue.database.path) { try Upkeep.run(on: writer().connection, isIdle: true) }
  }

  package func permission(
    of secret: [UInt8], for strip: String
  ) throws(CatalogueError) -> Permission {
    try catalogue.database.readOnce {
      Permission(of: try TokenGrant(of: secret, $0), for: strip)
    }
  }

  /// Where no other process has the database open it is one file then.
  package func close() {
    openWriter.withLock { writer in
      isClosed.store(true, ordering: .sequentiallyConsistent)
      Self.close(writer)
      writer = nil
    }
    ended.wait()
    catalogue.close()
  }

  /// Upkeep closes the connection by itself, when nobody uses it any more.
  private static func close(_ writer: Writer?) {
    if let writer, writer.upkeep == nil { try? writer.connection.close() }
  }

  /// Makes one revision of a strip that is there.
  private func change(
    _ former: StripRow, _ db: Database,
    _ body: (inout StripRow, inout RevisionWriter) throws -> Void
  ) throws -> Int64 {
    var row = former
    row.revision += 1
    var succession = try RevisionWriter(
      db, former: former, kinds: former.kinds(db), revision: row.revision)
    try body(&row, &succession)
    try row.update(db)
    try succession.finish(clock: WallClock.now)
    return row.revision
  }

  private func write<Result>(
    by deadline: WriteDeadline, _ body: (Database) throws -> Result
  ) throws(CatalogueError) -> Result {
    let path = catalogue.database.path
    return try catching(path) {
      let writer = try writer()
      guard let upkeep = writer.upkeep else {
        let result = try writer.connection.writeAtOnce(by: deadline, body)
        // The change is made, whatever becomes of this.
        try? Upkeep.run(
          on: writer.connection, isIdle: false, patience: Upkeep.patienceOfCommands)
        return result
      }
      do {
        return try upkeep.changing { try writer.connection.writeAtOnce(by: deadline, body) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
        // What the log takes up may be what is missing.
        upkeep.giveRoomBack()
        throw error
      }
    }
  }

  private func writer() throws -> Writer {
    try openWriter.withLock { writer in
      if let writer { return writer }
      guard !isClosed.load(ordering: .sequentiallyConsistent) else {
        throw CatalogueError.unavailable("\(catalogue.database.path) is closed")
      }
      let opened = try open(catalogue.database.path)
      writer = opened
      return opened
    }
  }

  private func open(_ path: String) throws -> Writer {
    let connection = try WritingConnection.open(path)
    guard upkeep == .later else { return Writer(connection: connection, upkeep: nil) }
    // The log is taken in beside the changes; by one of them where they come too fast for that, since
    // it begins anew only when nothing is left of it. A file that was longer becomes shorter then.
    try connection.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA wal_autocheckpoint = \(max(1, logLimit / Schema.pageSize));
          PRAGMA journal_size_limit = \(logLimit)
          """)
    }
    return Writer(connection: connection, upkeep: UpkeepQueue(connection, ended: ended))
  }
}

extension IdempotencyKey {
  /// The revision that the change of this key has made, if it has been made.
  ///
  /// - Throws: `.conflict` where the key stood for another change.
  fileprivate func revision(of strip: String, _ db: Database) throws -> Int64? {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT body, revision FROM once WHERE strip = ? AND key = ? AND made > ?"),
      arguments: [strip, Data(key), WallClock.now - Self.lifetime])
    guard let row else { return nil }
    guard Digest(bytes: Array(try row.required("body") as Data)) == body else {
      throw CatalogueError.conflict("Idempotency-Key: it has been used for another change")
    }
    return try row.required("revision")
  }

  fileprivate func keep(_ revision: Int64, of strip: String, _ db: Database) throws {
    let now = WallClock.now
    try db.cachedStatement(sql: "DELETE FROM once WHERE made <= ?")
      .execute(arguments: [now - Self.lifetime])
    try db.cachedStatement(
      sql: "INSERT INTO once (strip, key, body, revision, made) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [strip, Data(key), Data(body.bytes), revision, now])
  }
}
