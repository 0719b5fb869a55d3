import Catalogue
import CatalogueTesting
@preconcurrency import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import SQLCatalogue
import SQLiteDatabase
import Synchronization
import Testing
import Views

struct WALMaintenanceTests {
  private let test: DatabaseUnderTest
  private let writer: DatabaseQueue
  private let wal: WALMaintenance

  init() throws {
    test = try DatabaseUnderTest(.sqlite)
    try test.importDatabase().importing { try $0.insertItems(2000) }
    writer = try DatabaseQueue(path: test.path)
    wal = try WALMaintenance(writer, ended: DispatchGroup())
  }

  private func change(_ width: Int) throws {
    try writer.write { try $0.execute(sql: "UPDATE item SET width = ?", arguments: [width]) }
  }

  private func logLength() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: test.path + "-wal")
    return try #require(attributes[.size] as? Int)
  }

  @Test func `a log restarts in the same blocks after a checkpoint`() throws {
    try change(1)
    let length = try logLength()
    #expect(length > 0)
    for width in 2...5 {
      wal.checkpoint()
      try change(width)
      #expect(try logLength() == length)
    }
    try change(6)
    #expect(try logLength() > length)
  }

  @Test func `truncating the log leaves the writer its page cache`() throws {
    try change(1)
    wal.truncate()
    #expect(try logLength() == 0)
    #expect(try pagesRead { try change(2) } == 0)
    // A checkpoint of another connection makes the writer discard all pages.
    let other = try DatabaseQueue(path: test.path)
    _ = try other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    #expect(try pagesRead { try change(3) } > 0)
  }

  /// Makes edits, and returns the greatest length of the log in bytes.
  private func longestLog(of file: SQLiteFile, edits: Int) throws -> Int {
    var longest = 0
    for turn in 0..<edits {
      _ = try file.write(by: WriteDeadline()) { session in
        try session.run(
          "UPDATE item SET width = $1 WHERE sort_key % 4 = $2",
          [.integer(turn), .integer(turn % 4)])
      }
      longest = max(longest, try logLength())
    }
    return longest
  }

  @Test func `the log stays within its limit while edit follows edit`() throws {
    let limit = 1 << 20
    let file = try SQLiteFile(path: test.path, walLimit: limit, keepsUpInBackground: true)
    defer { file.close() }
    let longest = try longestLog(of: file, edits: 60)
    #expect(longest <= limit)
    #expect(longest >= limit / 2)
  }

  @Test func `the log stays within its limit while another read begins before each one ends`()
    throws
  {
    let limit = 1 << 20
    let file = try SQLiteFile(path: test.path, walLimit: limit, keepsUpInBackground: true)
    defer { file.close() }
    let isDone = Atomic(false)
    let readers = DispatchGroup()
    for _ in 0..<3 {
      DispatchQueue.global().async(group: readers) {
        while !isDone.load(ordering: .relaxed) {
          try? file.read { session in
            _ = try session.first("SELECT count(*) FROM strip", []) { try $0.integer(0) }
            _ = poll(nil, 0, 5)
          }
        }
      }
    }
    defer {
      isDone.store(true, ordering: .relaxed)
      readers.wait()
    }
    let longest = try longestLog(of: file, edits: 200)
    #expect(longest <= limit)
  }

  @Test func `edits are made while a read does not end`() throws {
    let limit = 1 << 20
    let file = try SQLiteFile(path: test.path, walLimit: limit, keepsUpInBackground: true)
    defer { file.close() }
    let longest = try file.read { session in
      _ = try session.first("SELECT count(*) FROM strip", []) { try $0.integer(0) }
      return try longestLog(of: file, edits: 60)
    }
    #expect(longest > limit)
  }

  @Test func `an idle window transaction does not keep the log`() throws {
    let file = try SQLiteFile(path: test.path, readers: 1)
    defer { file.close() }
    #expect(file.read([0], of: 1, at: 1) { _ in } == 1)
    try change(1)
    func isTruncated() throws -> Bool {
      try DatabaseQueue(path: test.path).writeWithoutTransaction { db in
        try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0] == 0
      }
    }
    #expect(try !isTruncated())
    let end = ContinuousClock.now + .seconds(300)
    repeat {
      _ = poll(nil, 0, 10)
      file.endIdleTransactions()
    } while try !isTruncated() && ContinuousClock.now < end
    #expect(try isTruncated())
  }

  /// The number of pages that the writer's connection reads from the file or the log.
  private func pagesRead(_ body: () throws -> Void) throws -> Int {
    _ = try misses()
    try body()
    return try misses()
  }

  /// The page cache misses since the last call.
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
