import Catalogue
import CatalogueTesting
import Foundation
import Items
import SQLCatalogue
import Synchronization
import Testing
import Views

@Suite(.serialized)
struct SQLDatabaseTests {
  @Test(arguments: Store.allCases)
  func `an observer sees what another connection commits`(_ kind: Store) async throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let (database, other) = (try test.open(), try test.open())
    let (notifications, continuation) = AsyncStream.makeStream(of: ChangeNotification.self)
    // On a slow machine seconds can pass without a change.
    try database.observe { if $0 != .periodic { continuation.yield($0) } }
    var iterator = notifications.makeAsyncIterator()
    #expect(await iterator.next() == .resync)
    try other.write(by: WriteDeadline()) {
      try $0.notify([.strip("b"), .strip("b"), .catalogueChanged])
    }
    var seen: Set<ChangeNotification> = []
    while seen.count < 2, let next = await iterator.next() { seen.insert(next) }
    #expect(seen == [.strip("b"), .catalogueChanged])
    struct Stop: Error {}
    #expect(throws: CatalogueError.self) {
      try other.write(by: WriteDeadline()) { session in
        try session.notify([.strip("undone")])
        throw Stop()
      }
    }
    try other.write(by: WriteDeadline()) { session in
      try session.notify((0...1000).map { .strip("s\($0)") })
    }
    #expect(await iterator.next() == .resync)
  }

  @Test(arguments: Store.allCases)
  func `an observer gets periodic notifications while the database changes`(
    _ kind: Store
  ) async throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let (database, other) = (try test.open(), try test.open())
    let (notifications, continuation) = AsyncStream.makeStream(of: ChangeNotification.self)
    try database.observe { continuation.yield($0) }
    let deadline = ContinuousClock.now + .seconds(300)
    for await notification in notifications {
      if notification == .periodic { return }
      // Each notification of a change causes the next change.
      try other.write(by: WriteDeadline()) { try $0.notify([.catalogueChanged]) }
      if ContinuousClock.now > deadline { break }
    }
    Issue.record("no periodic notification in five minutes")
  }

  @Test(arguments: Store.allCases)
  func `an observer that throws gets the notification that anything can have changed`(
    _ kind: Store
  ) async throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    struct Stop: Error {}
    let (notifications, continuation) = AsyncStream.makeStream(of: ChangeNotification.self)
    let count = Atomic(0)
    try database.observe { notification in
      continuation.yield(notification)
      if count.add(1, ordering: .relaxed).newValue < 3 { throw Stop() }
    }
    var iterator = notifications.makeAsyncIterator()
    for _ in 0..<3 { #expect(await iterator.next() == .resync) }
  }

  @Test(arguments: Store.allCases)
  func `an edit waits for a lock until its deadline`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let (database, other) = (try test.open(), try test.open())
    try database.write(by: WriteDeadline()) { try $0.insertStrip(1, name: "a") }
    let sql = "SELECT number FROM strip WHERE number = 1"
    try database.write(by: WriteDeadline()) { session in
      try session.run(sql + session.dialect.lockClause)
      let isBusy = #expect(throws: CatalogueError.self) {
        try other.write(by: WriteDeadline(asked: .now - .seconds(9.9))) { session in
          try session.run(sql + session.dialect.lockClause)
        }
      }
      guard case .busy = isBusy else {
        Issue.record("The error is \(String(describing: isBusy)).")
        return
      }
    }
    _ = try other.write(by: WriteDeadline()) { try $0.run(sql + $0.dialect.lockClause) }
  }

  @Test(arguments: Store.allCases)
  func `an import writes all or nothing`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    #expect(throws: CatalogueError.interrupted) {
      try test.importDatabase().importing { session in
        try session.insertStrip(1, name: "a")
        throw CatalogueError.interrupted
      }
    }
    #expect(try database.read { try $0.revisions() } == [])
    try test.importDatabase().importing { try $0.insertStrip(1, name: "a", revision: 3) }
    #expect(try database.read { try $0.revisions() } == [3])
    #expect(try database.read { try database.structureFaults(limit: 9, $0) } == [])
  }

  @Test(arguments: Store.allCases)
  func `a closed database is unavailable`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    let database = try test.open()
    try database.write(by: WriteDeadline()) { try $0.insertStrip(1, name: "a") }
    try database.observe { _ in }
    database.close()
    for work in [
      { try database.read { _ in } }, { try database.readStatement { _ in } },
      { try database.maintain { _ in } }, { try database.write(by: WriteDeadline()) { _ in } },
    ] {
      let error = #expect(throws: CatalogueError.self) { try work() }
      guard case .unavailable = error else {
        Issue.record("The error is \(String(describing: error)).")
        continue
      }
    }
    let count = database.windowReader?.read([1], of: 1, at: 1) { _ in }
    #expect(count ?? 0 == 0)
  }

  @Test(arguments: Store.allCases)
  func `only a change that finds no space says that changes fail, until one succeeds`(
    _ kind: Store
  ) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    struct Failure: Error {}
    let (change, full) = (WriteDeadline(), CatalogueError.full("no space"))
    for work in [
      { try database.write(by: change) { _ in throw Failure() } },
      { try database.maintain { _ in throw full } },
    ] {
      #expect(throws: CatalogueError.self) { try work() }
      #expect(database.readOnlyReason == nil)
    }
    #expect(throws: full) { try database.write(by: change) { _ in throw full } }
    #expect(database.readOnlyReason?.contains("no space is left") == true)
    try database.write(by: change) { _ in }
    #expect(database.readOnlyReason == nil)
  }

  @Test(arguments: Store.allCases)
  func `the schema rejects values out of range`(_ kind: Store) throws {
    let test = try DatabaseUnderTest(kind)
    defer { test.close() }
    let database = try test.open()
    try database.write(by: WriteDeadline()) { try $0.insertItems(1) }
    for statement in [
      "UPDATE item SET fields = '{'", "UPDATE item SET fields = '[]'",
      "UPDATE item SET aspect = -1", "UPDATE item SET width = 6400001", "UPDATE item SET id = ''",
      "UPDATE item SET kind = 64", "UPDATE strip SET name = 'No'", "UPDATE strip SET revision = 0",
      "UPDATE strip SET settings = '[24]'",
    ] {
      #expect(throws: CatalogueError.self) {
        try database.write(by: WriteDeadline()) { try $0.run(statement) }
      }
    }
  }
}
