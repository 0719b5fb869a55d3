import Catalogue
import CatalogueTesting
import Cryptography
import Items
import SQLCatalogue
import Testing
import Views

/// Keys and lists that no client needs. Edits must not wait until all of them are deleted.
struct ExpiredRowsTests {
  private let large = [UInt8](repeating: 1, count: 600_000)

  private func addKeys(
    _ count: Int, _ body: [UInt8], created: Int, to database: any SQLDatabase
  ) throws {
    try database.write(by: WriteDeadline()) { session in
      _ = try session.run(
        "INSERT INTO idempotency_key (strip, key, body, revision, created) VALUES ($1, $2, $3, $4, $5)",
        forEach: (0..<count).map { number in
          [
            .text("s"), .bytes(Array("\(created) \(number)".utf8)), .bytes(body), .integer(1),
            .integer(created),
          ]
        })
    }
  }

  private func addLists(_ count: Int, _ ids: [UInt8], to database: any SQLDatabase) throws {
    try database.write(by: WriteDeadline()) { session in
      _ = try session.run(
        "INSERT INTO list (strip, name, ids, used) VALUES ($1, $2, $3, $4)",
        forEach: (0..<count).map { number in
          [.text("s"), .text("\(ids.count) \(number)"), .bytes(ids), .integer(1)]
        })
    }
  }

  /// The numbers of rows of a table after each step, until one run finds nothing to do.
  private func counts(
    of table: String, _ store: StoreUnderTest, _ maintenance: Maintenance
  ) throws -> [Int] {
    var counts = [try store.count(of: table)]
    repeat {
      try maintenance.run(.scheduled)
      counts.append(try store.count(of: table))
    } while counts[counts.count - 1] != counts[counts.count - 2]
    return counts
  }

  @Test(arguments: Store.allCases)
  func `expired keys are deleted a few at a time`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let database = try store.database()
    defer { database.close() }
    try addKeys(250, [1], created: 1, to: database)
    try addKeys(3, large, created: 2, to: database)
    try addKeys(1, [1], created: Int(WallClock.now), to: database)
    let maintenance = Maintenance(database, isServer: false, time: .zero)
    #expect(try counts(of: "idempotency_key", store, maintenance) == [254, 154, 54, 2, 1, 1])
  }

  @Test(arguments: Store.allCases)
  func `unused lists are deleted a few at a time`(_ store: Store) throws {
    let store = try StoreUnderTest(store, holding: 1)
    let database = try store.database()
    defer { database.close() }
    try addLists(120, [1], to: database)
    try addLists(3, large, to: database)
    let maintenance = Maintenance(database, isServer: false, listDays: 30, time: .zero)
    let counts = try counts(of: "list", store, maintenance)
    #expect(counts.first == 123 && counts.last == 0)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 - $1 <= 100 })
  }

  @Test(arguments: Store.allCases)
  func `keys and lists of a removed strip are deleted a few at a time, and are no damage before`(
    _ store: Store
  ) throws {
    let store = try StoreUnderTest(store, holding: 1)
    try store.put(numbered(1), into: "kept")
    let (catalogue, editor) = try store.editable()
    defer { editor.close() }
    let list = try ItemList(json: Array(#"["i0"]"#.utf8))
    _ = try editor.store(list, for: "kept", by: WriteDeadline())
    try addKeys(3, large, created: Int(WallClock.now), to: catalogue.database)
    try addLists(120, [1], to: catalogue.database)
    try catalogue.database.maintain { session in
      try #require(try StripRow.lock(session, name: "s")).remove(session)
    }
    #expect(try store.faults() == [])
    let database = try store.database()
    defer { database.close() }
    let maintenance = Maintenance(database, isServer: false, time: .zero)
    for left in [1, 0] {
      try maintenance.run(.scheduled)
      #expect(try store.count(of: "idempotency_key") == left)
    }
    #expect(try store.count(of: "list") == 121)
    #expect(try counts(of: "list", store, maintenance) == [121, 21, 1, 1])
    #expect(try catalogue.list(list.name, of: "kept") == list)
    #expect(try store.faults() == [])
  }
}
