import Catalogue
import Foundation
import GRDB
import GRDBSQLite
import Testing
import Windowing

@testable import ItemsInSQLite

/// What upkeep makes of SQLite's log.
struct UpkeepQueueTests {
  private let folder: ScratchFolder
  private let path: String
  private let writer: DatabaseQueue
  private let upkeep: UpkeepQueue

  init() throws {
    folder = try ScratchFolder()
    path = folder.path("strips.db")
    try SQLiteImporter(path: path).run(StripImport(name: "s")) { add throws(CatalogueError) in
      for number in 0..<2000 { try add(Item(id: "i\(number)", width: .px(50))) }
    }
    writer = try WritingConnection.open(path)
    upkeep = UpkeepQueue(writer)
  }

  private func change(_ width: Int) throws {
    try writer.writeAtOnce {
      try $0.execute(sql: "UPDATE item SET width = ?", arguments: [width])
    }
  }

  private func logLength() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    return try #require(attributes[.size] as? Int)
  }

  @Test func aLogThatWasTakenInBeginsAnewOverWhatItHas() throws {
    try change(1)
    let length = try logLength()
    #expect(length > 0)
    for width in 2...5 {
      upkeep.takeInLog()
      try change(width)
      #expect(try logLength() == length)
    }
    try change(6)
    #expect(try logLength() > length)
  }

  @Test func theRoomThatIsGivenBackCostsTheWriterNoneOfItsPages() throws {
    try change(1)
    upkeep.giveRoomBack()
    #expect(try logLength() == 0)
    #expect(try pagesRead { try change(2) } == 0)
    // By another connection the log is made empty at the cost of all of them.
    let other = try DatabaseQueue(path: path)
    _ = try other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    #expect(try pagesRead { try change(3) } > 0)
  }

  /// Whatever is left of a strip that is gone, a step costs no more than what it deletes.
  @Test(arguments: Sweeping.tables.map(\.name))
  func looksForNoMoreRowsThanItDeletes(_ table: String) throws {
    let table = try #require(Sweeping.tables.first { $0.name == table })
    let plan = try writer.read { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + Sweeping.deletion(from: table), arguments: [1, 100]
      ).map { $0["detail"] as String }
    }
    let outer = try #require(plan.first)
    #expect(outer.contains("PRIMARY KEY") && !outer.hasSuffix("(strip=?)"), "\(plan)")
  }

  /// How many pages the writer's connection reads from the file or the log meanwhile.
  private func pagesRead(_ body: () throws -> Void) throws -> Int {
    _ = try misses()
    try body()
    return try misses()
  }

  /// Those since this was asked the last time.
  private func misses() throws -> Int {
    try writer.writeWithoutTransaction { db in
      var (count, most): (Int32, Int32) = (0, 0)
      let code = sqlite3_db_status(
        db.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &count, &most, 1)
      try #require(code == SQLITE_OK)
      return Int(count)
    }
  }
}
