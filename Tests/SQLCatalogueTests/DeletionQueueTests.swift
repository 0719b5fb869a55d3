import Catalogue
import CatalogueTesting
import Foundation
import Items
import SQLCatalogue
import SQLiteDatabase
import Testing
import Views
import Windowing

/// Tests with damaged rows of `garbage`. Maintenance keeps every row that a strip needs, and the check names
/// the damage.
struct DeletionQueueTests {
  /// A database with a strip that is needed, and with each kind of row in `garbage`.
  private func store(_ kind: Store) throws -> StoreUnderTest {
    let store = try StoreUnderTest(kind)
    try store.put(numbered(8), into: "removed")
    // An import runs no maintenance.
    for width in 0..<Int(Retention.revisions) + 3 {
      try store.put(
        numbered(40) + [Item(id: "last", width: .px(width))], width == 0 ? .create : .replace)
      // The next revision supersedes those that are old, and not among the newest.
      guard width >= Retention.revisions - 1 else { continue }
      try store.execute("UPDATE revision SET created = 0", reseals: true)
    }
    let database = try store.database()
    defer { database.close() }
    try database.maintain { session in
      let strip = try #require(try StripRow.fetch(session, name: "s"))
      var compaction = try GeometryCompaction(
        of: strip, GeometryCompaction.changes(of: strip, session), session)
      #expect(try !compaction.step(chunks: 8, session))
      try #require(try StripRow.lock(session, name: "removed")).remove(session)
    }
    #expect(try store.number("SELECT count(*) FROM garbage WHERE strip IS NULL") == 1)
    #expect(try store.number("SELECT count(*) FROM garbage WHERE last_revision IS NULL") == 2)
    #expect(try store.number("SELECT count(*) FROM garbage WHERE generation IS NULL") > 0)
    #expect(try store.faults() == [])
    return store
  }

  /// The strip at its newest and at its oldest readable revision.
  private func contents(_ catalogue: SQLStripCatalogue, from oldest: Int) throws -> [[Item]] {
    try [nil, Int64(oldest)].map { revision in
      let snapshot = try catalogue.snapshot(of: "s", at: revision)
      return try snapshot.source.items(in: 0..<snapshot.strip.count)
    }
  }

  private func oldest(_ store: StoreUnderTest) throws -> Int {
    try store.number("SELECT oldest_revision FROM strip WHERE name = 's'")
  }

  @Test(
    arguments: Store.allCases,
    [
      "strip = (SELECT number FROM strip), last_revision = NULL",
      "strip = (SELECT number FROM strip), last_revision = (SELECT oldest_revision FROM strip)",
      "last_revision = NULL WHERE last_revision IS NOT NULL",
      "last_revision = 9223372036854775807 WHERE last_revision IS NOT NULL",
      "generation = (SELECT generation FROM strip)",
      "strip = NULL WHERE last_revision IS NULL",
      "generation = NULL",
      "generation = generation + 1000 WHERE generation IS NOT NULL",
    ])
  func `maintenance keeps what a strip needs, and the check names the damage`(
    _ kind: Store, _ damage: String
  ) throws {
    let store = try store(kind)
    let oldest = try oldest(store)
    let before = try contents(store.catalogue(), from: oldest)
    try store.execute("UPDATE garbage SET \(damage)")
    #expect(try store.faults() != [])
    try store.editor().maintain()
    #expect(try contents(store.catalogue(), from: oldest) == before)
    #expect(try store.faults() != [])
  }

  /// A deletion of millions of items takes minutes. Other strips need compaction during this time.
  @Test(arguments: Store.allCases)
  func `a server interrupts a long deletion, and goes on later`(_ kind: Store) throws {
    let store = try store(kind)
    let maintenance = Maintenance(try store.database(), isServer: true, time: .zero)
    try maintenance.run(.scheduled)
    let left = try store.count(of: "garbage")
    #expect(left > 0)
    try eventually { try store.count(of: "garbage") < left }
    maintenance.close()
  }

  /// The fourth step is the first deletion.
  @Test(arguments: Store.allCases, [0, 3])
  func `a part of maintenance that fails does not stop deletions, and a server repeats it`(
    _ kind: Store, _ step: Int
  ) throws {
    let store = try store(kind)
    let probe = DatabaseProbe(try store.database())
    defer { probe.close() }
    probe.failMaintenance(after: step)
    let maintenance = Maintenance(probe, isServer: step > 0, retryPause: .milliseconds(1))
    #expect(throws: CatalogueError.self) { try maintenance.run(.due) }
    try eventually { try store.count(of: "garbage") == 0 }
    maintenance.close()
  }

  @Test func `a change of one byte of a row of garbage is named or harmless`() throws {
    let store = try store(.sqlite)
    let oldest = try oldest(store)
    let before = try contents(store.catalogue(), from: oldest)
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: store.path)))
    let page = try store.number("SELECT rootpage FROM sqlite_schema WHERE name = 'garbage'") - 1
    let pageSize = try store.number("PRAGMA page_size")
    let rows = (page * pageSize..<(page + 1) * pageSize).filter { bytes[$0] != 0 }
    let folder = try ScratchFolder()
    let path = folder.path("damaged.db")
    var named = 0
    for place in rows {
      for bit in [0x01, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[place] ^= bit
        for log in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + log) }
        try Data(damaged).write(to: URL(fileURLWithPath: path))
        let faults = faults(path)
        if !faults.isEmpty { named += 1 }
        guard
          let catalogue = try? SQLStripCatalogue(
            SQLiteFile(path: path, readers: 1), observesChanges: false)
        else { continue }
        let editor = SQLStripEditor(catalogue, isServer: false)
        try? editor.maintain()
        #expect(try contents(catalogue, from: oldest) == before, "byte \(place), bit \(bit)")
        editor.close()
        if faults.isEmpty { #expect(self.faults(path) == [], "byte \(place), bit \(bit)") }
      }
    }
    #expect(named > rows.count / 2)
  }

  private func faults(_ path: String) -> [String] {
    do {
      let database = try SQLiteFile(path: path, readers: 1)
      defer { database.close() }
      return try IntegrityCheck(database).faults
    } catch {
      return ["\(error)"]
    }
  }
}
