import Catalogue
import CatalogueTesting
@preconcurrency import Dispatch
import Items
import PostgresDatabase
import SQLCatalogue
import Testing
import Views

@Suite(.serialized, .enabled(if: PostgresTestDatabase.server != nil))
struct PostgresServerTests {
  private let test: DatabaseUnderTest

  init() throws { test = try DatabaseUnderTest(.postgres) }

  @Test func `a database of another version is rejected with its version`() throws {
    try test.psql("UPDATE carousel.version SET number = 12")
    let address = try ConnectionString(test.path)
    let expected = CatalogueError.unavailable(
      "\(address) has schema version 12. This carousel reads version 11. Import the data again into a new "
        + "database: carousel import FILE --database NEW --strip NAME. If you have no FILE, let the carousel "
        + "that wrote the database make it: carousel export --database \(address) --strip NAME > NAME.jsonl"
    )
    #expect(throws: expected) { try PostgresServer(address) }
    #expect(throws: expected) { try test.importDatabase().importing { _ in } }
    try test.psql("DROP SCHEMA carousel CASCADE")
    let missing = #expect(throws: CatalogueError.self) { try PostgresServer(address) }
    #expect("\(missing, default: "nil")".contains("holds no catalogue"))
  }

  @Test func `a connection that failed to send is not used again`() throws {
    let connection = try PostgresConnection(to: ConnectionString(test.path))
    let isNewLost = connection.isLost
    #expect(!isNewLost)
    // libpq sends at most 65,535 values.
    let values = [SQLValue](repeating: .null, count: 70_000)
    do {
      _ = try connection.run("none", forEach: [values])
      Issue.record("libpq sent \(values.count) values")
    } catch {}
    let isLost = connection.isLost
    #expect(isLost)
  }

  @Test func `a restored dump gets new revisions before its first change`() throws {
    let original = try test.open()
    try original.write(by: WriteDeadline()) { try $0.insertStrip(1, name: "a", revision: 6) }
    original.close()
    try test.psql("UPDATE carousel.epoch SET holder = 'elsewhere'")
    let copy = try test.open()
    #expect(try copy.read { try $0.revisions() } == [6])
    try copy.write(by: WriteDeadline()) { _ in }
    let revisions = try copy.read { try $0.revisions() }
    #expect(revisions[0] > 1_000_000)
    copy.close()
    try test.importDatabase().importing { _ in }
    let again = try test.open()
    defer { test.close() }
    try again.write(by: WriteDeadline()) { _ in }
    #expect(try again.read { try $0.revisions() } == revisions)
  }

  @Test func `a transaction whose statement failed is not taken for committed`() throws {
    let database = try test.open()
    let error = #expect(throws: CatalogueError.self) {
      try database.write(by: WriteDeadline()) { session in
        try session.insertStrip(1, name: "a")
        _ = try? session.insertStrip(1, name: "a")
      }
    }
    #expect(error?.description.contains("duplicate key") == true)
    #expect(try database.read { try $0.revisions() } == [])
  }

  @Test func `a transaction that another one has rolled back is busy`() throws {
    let database = try test.open()
    defer { test.close() }
    for state in ["40001", "40P01"] {
      let error = #expect(throws: CatalogueError.self) {
        try database.write(by: WriteDeadline()) { session in
          try session.runScript("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '\(state)'; END $$")
        }
      }
      guard case .busy = error else {
        Issue.record("\(state): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `a lost connection is replaced`() async throws {
    let database = try test.open()
    defer { test.close() }
    try database.write(by: WriteDeadline()) { try $0.insertStrip(1, name: "a") }
    let (notifications, continuation) = AsyncStream.makeStream(of: ChangeNotification.self)
    try database.observe { continuation.yield($0) }
    var iterator = notifications.makeAsyncIterator()
    #expect(await iterator.next() == .resync)
    try test.psql(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    #expect(try database.read { try $0.revisions() } == [1])
    try database.write(by: WriteDeadline()) { try $0.insertStrip(2, name: "b") }
    #expect(await iterator.next() == .resync)
    #expect(try database.unavailabilityReason() == nil)
  }

  @Test func `a change that was begun again and lost during the commit may be made`() throws {
    let database = try test.open()
    defer { test.close() }
    try database.write(by: WriteDeadline()) { try $0.insertStrip(1, name: "a") }
    try test.psql(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    let error = #expect(throws: CatalogueError.self) {
      try database.write(by: WriteDeadline()) { session in
        // The commit runs this trigger.
        try session.runScript(
          """
          CREATE FUNCTION pg_temp.lose() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_terminate_backend(pg_backend_pid(), 30000); END $$;
          CREATE TEMP TABLE lost (id int);
          CREATE CONSTRAINT TRIGGER lose AFTER INSERT ON lost INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION pg_temp.lose();
          INSERT INTO lost VALUES (1)
          """)
      }
    }
    guard case .outcomeUnknown = error else {
      Issue.record("The error is \(String(describing: error)).")
      return
    }
  }

  @Test func `a server that is away is no error for those who wait`() throws {
    let address = try ConnectionString("postgresql://carousel@127.0.0.1:1/none")
    #expect(throws: CatalogueError.self) { try PostgresServer(address) }
    let server = try PostgresServer(address, waits: true)
    #expect(try server.unavailabilityReason() != nil)
    let error = #expect(throws: CatalogueError.self) { try server.read { _ in } }
    guard case .unavailable = error else {
      Issue.record("The error is \(String(describing: error)).")
      return
    }
  }

  @Test func `an import's statement is stopped from another thread`() throws {
    let database = try test.importDatabase()
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { database.interrupt() }
    timer.schedule(deadline: .now(), repeating: .milliseconds(5))
    timer.activate()
    defer { timer.cancel() }
    #expect(throws: CatalogueError.interrupted) {
      try database.importing { session in
        try session.run("SELECT count(*) FROM generate_series(1, 1000000000)")
      }
    }
  }
}
