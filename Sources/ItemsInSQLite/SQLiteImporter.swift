package import Catalogue
import Foundation
import GRDB
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
    return try run { db in
      if request.mode == .replace, let former = try StripRow.fetch(db, name: request.name) {
        var writer = try ReplacementWriter(
          db, of: former, settings: request.settings.applied(to: former.settings))
        try take(fill) { try writer.add($0) }
        return try writer.finish()
      }
      var writer = ImportWriter(db, extends: request.mode == .append, settings: request.settings)
      try writer.turn(to: request.name)
      try take(fill) { try writer.add($0, to: request.name) }
      try writer.finish()
      let row = try StripRow.fetch(db, name: request.name)
      return ImportedStrip(count: row?.totals.count ?? 0, revision: row?.revision ?? 0)
    }
  }

  @discardableResult
  package func runMany(
    _ mode: StripImport.Mode, settings: SettingsChange, title: @escaping (String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts {
    try run { db in
      guard mode != .replace else { return try replace(db, settings, title, with: fill) }
      var writer = ImportWriter(db, extends: mode == .append, settings: settings, title: title)
      try take(fill) { try writer.add($0, to: $1) }
      try writer.finish()
      return writer.counts
    }
  }

  private func replace(
    _ db: Database, _ settings: SettingsChange, _ title: @escaping (String) -> String?,
    with fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws -> StripCounts {
    var made = ImportWriter(db, extends: false, settings: settings, title: title)
    var strips = ReplacedStrips { name in
      try StripRow.fetch(db, name: name).map { former in
        let wanted = try settings.applied(to: former.settings, of: name, called: title(name))
        return StripComparison(
          try StoredItemCursor(db, of: former), isAnother: wanted != former.settings
        ) { walk in
          walk.end()
          return try ReplacementWriter(
            db, of: former, settings: wanted, keeping: walk.count, walk.seenKinds)
        }
      }
    } make: { item, name in
      try made.add(item, to: name)
    }
    try take(fill) { try strips.add($0, to: $1) }
    try strips.finish()
    try made.finish()
    return StripCounts(
      made: made.counts.made, changed: strips.changed.count, same: strips.same)
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

  /// The same, where each item comes with the name of its strip.
  private func take(
    _ fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void,
    _ add: (Item, String) throws -> Void
  ) throws {
    try withoutActuallyEscaping(add) { add in
      try fill { item, name throws(CatalogueError) in
        guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
        try StripName.check(name)
        try catching(path) { try add(item, name) }
      }
    }
  }

  /// Runs `body` in one transaction, on a file that is there or on one that is made.
  private func run<Result>(
    _ body: (Database) throws -> Result
  ) throws(CatalogueError) -> Result {
    guard TemporaryDatabase.isNothing(path) else {
      try Migration.bringUpToDate(path)
      let queue = try open(path) { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try db.execute(sql: "PRAGMA cache_size = -\(Self.cache)")
      }
      try catching(path) {
        _ = try queue.read { try Schema.check($0, path: path) }
        try Restoration.goOn(queue)
      }
      let result = try write(to: queue, body)
      // The strips are there, whatever becomes of this.
      try? Upkeep.run(on: queue, isIdle: false, patience: Upkeep.patienceOfCommands)
      // The log of a whole strip is large. Where readers keep it in use it is taken in later.
      try? queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      return result
    }
    var making = try TemporaryDatabase(path: path)
    let result = try make(making.temporary, body)
    try making.publish()
    return result
  }

  /// KiB of pages kept in memory: ids come in any order, and each goes to its place in an index.
  private static let cache = 128 << 10

  package func interrupt() {
    isInterrupted.store(true, ordering: .sequentiallyConsistent)
    running.withLock { $0?.interrupt() }
  }

  /// Writes a database that nobody reads before it is whole, and so without a journal on the disk.
  private func make<Result>(
    _ temporary: String, _ body: (Database) throws -> Result
  ) throws(CatalogueError) -> Result {
    let queue = try open(temporary) { db in
      try db.execute(
        sql: """
          PRAGMA page_size = \(Schema.pageSize);
          PRAGMA journal_mode = MEMORY;
          PRAGMA synchronous = OFF;
          PRAGMA cache_size = -\(Self.cache);
          """)
    }
    try catching(path) { try queue.write { try $0.execute(sql: Schema.sql) } }
    let result = try write(to: queue, body)
    try catching(path) {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try queue.close()
    }
    return result
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

  private func write<Result>(
    to queue: DatabaseQueue, _ body: (Database) throws -> Result
  ) throws(CatalogueError) -> Result {
    running.withLock { $0 = queue }
    defer { running.withLock { $0 = nil } }
    return try catching(path) { try queue.writeAtOnce(body) }
  }
}
