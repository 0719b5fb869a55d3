import Catalogue
import CatalogueTesting
@preconcurrency import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Items
import SQLCatalogue
import SQLiteDatabase
import Synchronization
import Testing
import Views
import Windowing

struct SQLiteFileTests {
  private let test: DatabaseUnderTest

  init() throws { test = try DatabaseUnderTest(.sqlite) }

  /// Makes the strip 1 at revision 5 with four items; "d" is written by revision 6.
  private func filled() throws -> SQLiteFile {
    let file = try SQLiteFile(path: test.path)
    try file.write(by: WriteDeadline()) { session in
      try session.insertStrip(1, name: "s", revision: 6)
      let writer = session.bulkWriter()
      for (sortKey, id) in ["a", "b", "c", "d"].enumerated() {
        _ = try writer.insert(
          ItemRow(
            Item(id: id), kind: 0, strip: 1, sortKey: Int64(sortKey),
            firstRevision: id == "d" ? 6 : 5))
      }
    }
    return file
  }

  private func ids(
    _ file: SQLiteFile, _ sortKeys: [Int64], of strip: Int64 = 1, at revision: Int64
  ) throws -> [String] {
    var ids: [String] = []
    let reader = try #require(file.windowReader)
    let count = reader.read(sortKeys, of: strip, at: revision) {
      ids.append(String(decoding: $0.id, as: UTF8.self))
    }
    #expect(count == ids.count)
    return ids
  }

  @Test func `a window reader gives rows that a revision has`() throws {
    let file = try filled()
    defer { file.close() }
    #expect(try ids(file, [0, 1, 2, 3], at: 6) == ["a", "b", "c", "d"])
    #expect(try ids(file, [0, 1, 2, 3], at: 5) == ["a", "b", "c"])
    #expect(try ids(file, [1, 3], at: 6) == ["b", "d"])
    #expect(try ids(file, [0], at: 7).isEmpty)
    #expect(try ids(file, [0], of: 2, at: 5).isEmpty)
    #expect(try ids(file, [], at: 5).isEmpty)
    try file.write(by: WriteDeadline()) { session in
      try session.run("UPDATE strip SET revision = 7")
      try session.run("DELETE FROM item WHERE sort_key = 1")
    }
    #expect(try ids(file, [0, 2, 3], at: 7) == ["a", "c", "d"])
    #expect(try ids(file, [0, 1, 2], at: 7) == ["a"])
  }

  @Test func `a window reader gives nothing while all its connections are in use`() throws {
    let file = try filled()
    file.close()
    let other = try SQLiteFile(path: test.path, readers: 1)
    defer { other.close() }
    var inner = -1
    let reader = try #require(other.windowReader)
    let outer = reader.read([0], of: 1, at: 6) { _ in
      inner = reader.read([0], of: 1, at: 6) { _ in }
    }
    #expect((outer, inner) == (1, 0))
  }

  @Test func `a window reader opens a connection again that could not be opened`() throws {
    let file = try filled()
    defer { file.close() }
    let reader = try #require(file.windowReader)
    let away = test.folder.path("away.db")
    try FileManager.default.moveItem(atPath: test.path, toPath: away)
    for _ in 0..<20 { #expect(reader.read([0], of: 1, at: 6) { _ in } == 0) }
    try FileManager.default.moveItem(atPath: away, toPath: test.path)
    #expect(reader.read([0], of: 1, at: 6) { _ in } == 1)
  }

  @Test func `a copy of a database gets new revisions before its first change`() throws {
    let file = try filled()
    let copy = test.folder.path("copy.db")
    try Backup.copy(test.path, to: copy)
    #expect(throws: CatalogueError.self) { try Backup.copy(test.path, to: copy) }
    file.close()
    let copied = try SQLiteFile(path: copy)
    #expect(try copied.read { try $0.revisions() } == [6])
    try copied.write(by: WriteDeadline()) { _ in }
    let revisions = try copied.read { try $0.revisions() }
    #expect(revisions[0] > 1_000_000)
    try copied.write(by: WriteDeadline()) { _ in }
    copied.close()
    try SQLiteImportFile(path: copy).importing { _ in }
    let again = try SQLiteFile(path: copy)
    defer { again.close() }
    #expect(try again.read { try $0.revisions() } == revisions)
  }

  @Test func `maintenance gives the strips of a copy no new revisions`() throws {
    let file = try filled()
    let copy = test.folder.path("copy.db")
    try Backup.copy(test.path, to: copy)
    file.close()
    let copied = try SQLiteFile(path: copy)
    defer { copied.close() }
    try copied.maintain { _ in }
    #expect(try copied.read { try $0.revisions() } == [6])
    // A refused change too, so that its client finds the revision that the next one must name.
    #expect(throws: CatalogueError.conflict("refused")) {
      try copied.write(by: WriteDeadline()) { _ in throw CatalogueError.conflict("refused") }
    }
    #expect(try copied.read { try $0.revisions() }[0] > 1_000_000)
  }

  @Test func `a change that the disk does not confirm has an unknown outcome`() throws {
    FailingDisk.add(log: test.path + "-wal")
    let file = try filled()
    defer { file.close() }
    func isUnknown(_ error: any Error) -> Bool {
      if case .outcomeUnknown(let sentence)? = error as? CatalogueError {
        sentence.hasPrefix("\(test.path) cannot be written: ")
      } else {
        false
      }
    }
    FailingDisk.isFailing.store(true, ordering: .sequentiallyConsistent)
    #expect {
      try file.write(by: WriteDeadline()) { try $0.run("UPDATE strip SET revision = 8") }
    } throws: { isUnknown($0) }
    #expect {
      try SQLiteImportFile(path: test.path).importing {
        try $0.run("UPDATE strip SET revision = 9")
      }
    } throws: { isUnknown($0) }
    #expect(try file.read { try $0.revisions() } == [6])
    // A crash now would bring the change back.
    let crashed = test.folder.path("crashed.db")
    for name in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: test.path + name, toPath: crashed + name)
    }
    let recovered = try SQLiteFile(path: crashed)
    defer { recovered.close() }
    #expect(try recovered.read { try $0.revisions() } == [9])
    FailingDisk.isFailing.store(false, ordering: .sequentiallyConsistent)
    _ = try file.write(by: WriteDeadline()) { try $0.run("UPDATE strip SET revision = 7") }
    #expect(try file.read { try $0.revisions() } == [7])
  }

  @Test func `a file of another version is rejected with its version`() throws {
    try DatabaseQueue(path: test.path).write { try $0.execute(sql: "PRAGMA user_version = 12") }
    let path = test.path
    let expected = CatalogueError.unavailable(
      "\(path) has schema version 12. This carousel reads version 11. Import the data again into a new "
        + "database: carousel import FILE --database NEW --strip NAME. If you have no FILE, let the carousel "
        + "that wrote the database make it: carousel export --database \(path) --strip NAME > NAME.jsonl"
    )
    #expect(throws: expected) { try SQLiteFile(path: path) }
    #expect(throws: expected) { try SQLiteImportFile(path: path).importing { _ in } }
    #expect(throws: expected) { try Backup.copy(path, to: path + ".copy") }
  }

  @Test func `a closed file has no log beside it`() throws {
    let file = try filled()
    file.close()
    #expect(!FileManager.default.fileExists(atPath: test.path + "-wal"))
    let background = try SQLiteFile(path: test.path, keepsUpInBackground: true)
    _ = try background.write(by: WriteDeadline()) { try $0.run("UPDATE strip SET revision = 8") }
    _ = try background.maintain { try $0.run("UPDATE strip SET uncompacted_changes = 8") }
    background.close()
    #expect(!FileManager.default.fileExists(atPath: test.path + "-wal"))
  }

  @Test func `only maintenance commits without a write to the disk`() throws {
    let file = try filled()
    defer { file.close() }
    func level(_ session: any SQLSession) throws -> Int64? {
      try session.first("PRAGMA synchronous") { try $0.integer(0) }
    }
    struct Failure: Error {}
    for _ in 0..<2 {
      #expect(try file.write(by: WriteDeadline(), level) == 2)
      #expect(try file.maintain(level) == 1)
      #expect(throws: CatalogueError.self) { try file.maintain { _ in throw Failure() } }
    }
    #expect(try file.write(by: WriteDeadline(), level) == 2)
  }

  @Test func `a statement that SQLite rejects is no damage`() throws {
    let file = try filled()
    defer { file.close() }
    let error = #expect(throws: CatalogueError.self) {
      try file.read { session in try session.run("SELECT nowhere FROM item") }
    }
    guard case .failed = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `an item of a wrong kind of value is damage and no trap`() throws {
    let file = try filled()
    defer { file.close() }
    try DatabaseQueue(path: test.path).writeWithoutTransaction { db in
      try db.execute(
        sql:
          "PRAGMA ignore_check_constraints = ON; UPDATE item SET id = CAST(X'FF' AS TEXT) WHERE sort_key = 1"
      )
    }
    #expect(throws: CatalogueError.self) {
      try file.read { session in try session.map("SELECT id FROM item") { try $0.text(0) } }
    }
  }

  @Test func `superseded items are found by revision`() throws {
    let file = try filled()
    defer { file.close() }
    try file.write(by: WriteDeadline()) { session in
      for (previous, id) in [(3, "x"), (4, "y"), (5, "z")] {
        try session.run(
          """
          INSERT INTO revision (\(RevisionRow.columns.joined(separator: ", ")))
          VALUES (\(RevisionRow.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")))
          """,
          [
            .integer(1), .integer(previous), .integer(previous + 1), .null, .bytes([]), .text(""),
            .integer(0), .integer(0), .integer(0), .integer(0),
            .utf8(StripSettings(title: "").json), .integer(0),
          ])
        try session.run(
          """
          INSERT INTO item_history (strip, last_revision, sort_key, first_revision, checksum, id, kind,
            fields)
          VALUES (1, $1, 0, 1, 0, $2, 0, '{}')
          """, [.integer(previous), .text(id)])
      }
      let found = try session.map(
        "SELECT id FROM \(session.dialect.itemHistory) AND id >= $3 ORDER BY last_revision",
        [.integer(1), .integer(4), .text("a")]
      ) { try $0.text(0) }
      #expect(found == ["y", "z"])
    }
  }

  @Test func `a window reader gives no newer rows while edits are made`() throws {
    let file = try SQLiteFile(path: test.path)
    defer { file.close() }
    try file.write(by: WriteDeadline()) { try $0.insertItems(50) }
    let reader = try #require(file.windowReader)
    let newest = Atomic<Int64>(1)
    let isDone = Atomic(false)
    let stale = Atomic(0)
    let count = Atomic(0)
    let readers = DispatchGroup()
    for _ in 0..<3 {
      readers.enter()
      // A dedicated thread reads during the edits, even on a busy machine.
      Thread.detachNewThread {
        while !isDone.load(ordering: .sequentiallyConsistent) {
          let revision = newest.load(ordering: .sequentiallyConsistent)
          let given = reader.read(Array(0..<50), of: 1, at: revision) { item in
            let fields = String(decoding: item.fields, as: UTF8.self)
            let found = Int64(fields.filter(\.isNumber)) ?? 1
            if found > revision { stale.add(1, ordering: .relaxed) }
          }
          count.add(given, ordering: .relaxed)
        }
        readers.leave()
      }
    }
    var revision: Int64 = 1
    while revision < 100 || count.load(ordering: .relaxed) == 0 {
      revision += 1
      _ = try? file.write(by: WriteDeadline()) { session in
        try session.run("DELETE FROM item WHERE sort_key % 10 = $1", [.integer(revision % 10)])
        let writer = session.bulkWriter()
        for sortKey in stride(from: revision % 10, to: 50, by: 10) {
          let item = try Item(id: "i\(sortKey)", fields: Fields([("n", .number("\(revision)"))]))
          _ = try writer.insert(
            ItemRow(item, kind: 0, strip: 1, sortKey: sortKey, firstRevision: revision))
        }
        try session.run("UPDATE strip SET revision = $1", [.integer(revision)])
      }
      newest.store(revision, ordering: .sequentiallyConsistent)
    }
    isDone.store(true, ordering: .sequentiallyConsistent)
    readers.wait()
    #expect(stale.load(ordering: .relaxed) == 0)
  }
}

/// SQLite's access to the disk, which cannot synchronize some logs while `isFailing`.
private enum FailingDisk {
  static let isFailing = Atomic(false)
  private static let logs = Mutex<Set<String>>([])
  // Each is written once, before SQLite uses it.
  private nonisolated(unsafe) static let real: UnsafeMutablePointer<sqlite3_vfs> = sqlite3_vfs_find(
    nil)
  private nonisolated(unsafe) static let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(
    capacity: 1)
  private nonisolated(unsafe) static let methods =
    UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
  private nonisolated(unsafe) static var synchronize:
    (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32)?

  static func add(log path: String) {
    logs.withLock { _ = $0.insert(path) }
    _ = isRegistered
  }

  private static let isRegistered: Bool = {
    own.initialize(to: real.pointee)
    own.pointee.zName = UnsafePointer(strdup("failing"))
    own.pointee.xOpen = { _, name, file, flags, opened in
      let code = real.pointee.xOpen(real, name, file, flags, opened)
      guard code == SQLITE_OK, let name, logs.withLock({ $0.contains(String(cString: name)) }),
        let file, let known = file.pointee.pMethods
      else { return code }
      if synchronize == nil {
        synchronize = known.pointee.xSync
        methods.initialize(to: known.pointee)
        methods.pointee.xSync = { file, flags in
          isFailing.load(ordering: .sequentiallyConsistent)
            ? FailingDisk.failure : synchronize?(file, flags) ?? SQLITE_IOERR
        }
      }
      file.pointee.pMethods = UnsafePointer(methods)
      return code
    }
    return sqlite3_vfs_register(own, 1) == SQLITE_OK
  }()

  /// `SQLITE_IOERR_FSYNC`, whose macro Swift does not import.
  private static let failure = SQLITE_IOERR | 4 << 8
}
