import Foundation
import GRDB
package import Items
import Synchronization

/// Takes strips into a SQLite file; makes the file when there is none.
package final class SQLiteImporter: StripImporter {
  private let path: String
  private let isInterrupted = Atomic(false)
  private let running = Mutex<DatabaseQueue?>(nil)

  package init(path: String) { self.path = path }

  @discardableResult
  package func run(
    _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    try StripName.check(request.name)
    guard DatabaseInTheMaking.isNothing(path) else {
      try Migration.bringUpToDate(path)
      let queue = try open(path) { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try db.execute(sql: "PRAGMA cache_size = -65536")
      }
      try catching(path) { _ = try queue.read { try Schema.check($0, path: path) } }
      let imported = try write(request, to: queue, fill: fill)
      // The strip is there, whatever becomes of this.
      try? Upkeep.run(on: queue, isIdle: false)
      // The log of a whole strip is large. Where readers keep it in use it is taken in later.
      try? queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      return imported
    }
    var making = try DatabaseInTheMaking(path: path)
    let imported = try make(making.temporary, request, fill: fill)
    try making.publish()
    return imported
  }

  package func interrupt() {
    isInterrupted.store(true, ordering: .sequentiallyConsistent)
    running.withLock { $0?.interrupt() }
  }

  /// Writes a database that nobody reads before it is whole, and so without a journal on the disk.
  private func make(
    _ temporary: String, _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    let queue = try open(temporary) { db in
      try db.execute(
        sql: """
          PRAGMA page_size = \(Schema.pageSize);
          PRAGMA journal_mode = MEMORY;
          PRAGMA synchronous = OFF;
          PRAGMA cache_size = -65536;
          """)
    }
    try catching(path) { try queue.write { try $0.execute(sql: Schema.sql) } }
    let imported = try write(request, to: queue, fill: fill)
    try catching(path) {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try queue.close()
    }
    return imported
  }

  private func open(
    _ path: String, _ prepare: @escaping @Sendable (Database) throws -> Void
  ) throws(CatalogueError) -> DatabaseQueue {
    try catching(self.path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      configuration.prepareDatabase(prepare)
      return try DatabaseQueue(path: path, configuration: configuration)
    }
  }

  private func write(
    _ request: StripImport, to queue: DatabaseQueue,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    running.withLock { $0 = queue }
    defer { running.withLock { $0 = nil } }
    return try catching(path) {
      var imported = ImportedStrip(count: 0, revision: 0)
      try queue.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          var (former, row) = try strip(for: request, db)
          row.settings = try request.settings.applied(to: row.settings)
          if let former, request.mode == .replace {
            imported = try replace(former, by: row, db, fill)
          } else {
            imported = try append(to: row, after: former, db, fill)
          }
          return .commit
        }
      }
      return imported
    }
  }

  /// Has `fill` give its items to `add`, until the import is interrupted.
  private func take(
    _ fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void,
    _ add: (Item) throws -> Void
  ) throws {
    try withoutActuallyEscaping(add) { add in
      try fill { item throws(CatalogueError) in
        guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
        try catching(path) { try add(item) }
      }
    }
  }

  /// Puts items behind those that a strip has; nil for a strip that is new.
  private func append(
    to row: StripRow, after former: StripRow?, _ db: Database,
    _ fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws -> ImportedStrip {
    if let former { try Folding.fold(former, db) }
    var writer = try StripWriter(db, strip: row)
    try take(fill) { try writer.add($0) }
    try writer.finish()
    try row.update(db)
    if let former {
      var succession = try Succession(
        db, former: former, kinds: former.kinds(db), revision: row.revision)
      try succession.keep(LayoutStep(LayoutChanges([]), tail: writer.tail))
      try succession.finish(clock: WallClock.now)
    }
    let count = try Int.fetchOne(
      db, sql: "SELECT total(count) FROM layout WHERE strip = ?", arguments: [row.number])
    return ImportedStrip(count: count ?? 0, revision: row.revision)
  }

  /// Puts items in the place of those that a strip has: writes what differs, or where too much does
  /// the strip anew.
  private func replace(
    _ former: StripRow, by row: StripRow, _ db: Database,
    _ fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws -> ImportedStrip {
    try Folding.fold(former, db)
    let succession = try Succession(
      db, former: former, kinds: former.kinds(db), revision: row.revision)
    var replacement = try StripReplacement(db, of: row, succession: succession)
    var another: StripWriter?
    var row = row
    func makeAnother() throws {
      try row.delete(db)
      try row.insert(db)
      another = try StripWriter(db, strip: row)
      try replacement.forEach { try another?.add($0) }
    }
    try take(fill) { item in
      guard another == nil else { return try another?.add(item) ?? () }
      try replacement.add(item)
      if replacement.isAnother { try makeAnother() }
    }
    let done = another == nil ? try replacement.finish() : nil
    if done == nil, another == nil { try makeAnother() }
    try another?.finish()
    try row.update(db)
    try done?.finish(clock: WallClock.now)
    let count = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM item WHERE strip = ?", arguments: [row.number])
    return ImportedStrip(count: count ?? 0, revision: row.revision)
  }

  /// The row that the items go to, with the revision that it will have; and as it was, where it goes
  /// on.
  private func strip(
    for request: StripImport, _ db: Database
  ) throws -> (former: StripRow?, made: StripRow) {
    guard var row = try StripRow.fetch(db, name: request.name) else {
      return (nil, try StripRow.make(request.name, db))
    }
    let former = row
    switch request.mode {
    case .make:
      throw CatalogueError.stripExists(request.name)
    case .append:
      row.revision += 1
      return (former, row)
    case .replace:
      row.revision = Revision.making(clock: WallClock.now, former: row.revision)
      return (former, row)
    }
  }
}
