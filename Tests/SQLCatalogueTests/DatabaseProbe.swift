import Catalogue
import Items
import SQLCatalogue
import Synchronization
import Views

/// A database that counts its reads, statements and rows. A test can make it fail.
final class DatabaseProbe: SQLDatabase {
  struct Counts {
    /// Read transactions and single statements that read.
    var reads = 0
    /// Round trips of statements. A statement that runs with many sets of values counts once.
    var statements = 0
    /// Rows that statements returned.
    var rows = 0
  }

  private let database: any SQLDatabase
  private let state = Mutex(Counts())
  private let isUnreachable = Atomic(false)
  private let failsAfterWrite = Atomic(false)
  private let stepsLeft = Atomic(Int.max)
  /// Runs once, when a read is complete and before its caller receives the result.
  // A test sets it while no other thread reads.
  nonisolated(unsafe) var afterNextRead: (() throws -> Void)?

  /// Whether windows are read without a session, if the database can do this.
  private let readsWindows: Bool
  /// Whether reads of items by sort key fail.
  let failsItems = Atomic(false)
  /// Whether reads run twice, as they do if their connection is lost at the end.
  let repeatsReads = Atomic(false)

  /// The observer, if only the test notifies it.
  private let observer = Mutex<ChangeHandler?>(nil)
  private let holdsNotifications: Bool

  init(_ database: any SQLDatabase, readsWindows: Bool = true, holdsNotifications: Bool = false) {
    self.database = database
    self.holdsNotifications = holdsNotifications
    self.readsWindows = readsWindows
  }

  var counts: Counts { state.withLock { $0 } }

  /// The counts of the calls that `body` makes.
  func counting(_ body: () throws -> Void) rethrows -> Counts {
    state.withLock { $0 = Counts() }
    try body()
    return counts
  }

  /// Makes reads fail as soon as a change is committed.
  func failAfterWrite(_ fails: Bool) {
    failsAfterWrite.store(fails, ordering: .relaxed)
    isUnreachable.store(false, ordering: .relaxed)
  }

  /// Makes reads fail.
  func failReads(_ fails: Bool) { isUnreachable.store(fails, ordering: .relaxed) }

  /// Makes one step of maintenance fail, after `count` steps that succeed.
  func failMaintenance(after count: Int) { stepsLeft.store(count, ordering: .relaxed) }

  var hasFailedMaintenance: Bool { stepsLeft.load(ordering: .relaxed) < 0 }

  fileprivate func count(_ count: (inout Counts) -> Void) { state.withLock { count(&$0) } }

  private func checkReads() throws(CatalogueError) {
    count { $0.reads += 1 }
    if isUnreachable.load(ordering: .relaxed) {
      throw .unavailable("the test has closed the database")
    }
  }

  var name: String { database.name }
  var writerCount: Int { database.writerCount }
  var windowReader: (any WindowReader)? { readsWindows ? database.windowReader : nil }

  func read<Value>(_ body: (any SQLSession) throws -> Value) throws(CatalogueError) -> Value {
    try checkReads()
    return try database.read { session in
      if repeatsReads.load(ordering: .relaxed) { _ = try body(ProbeSession(session, self)) }
      let value = try body(ProbeSession(session, self))
      let next = afterNextRead
      afterNextRead = nil
      try next?()
      return value
    }
  }

  func readStatement<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try checkReads()
    return try database.readStatement { session in
      if repeatsReads.load(ordering: .relaxed) { _ = try body(ProbeSession(session, self)) }
      return try body(ProbeSession(session, self))
    }
  }

  func write<Value>(
    by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    let value = try database.write(by: deadline) { try body(ProbeSession($0, self)) }
    isUnreachable.store(failsAfterWrite.load(ordering: .relaxed), ordering: .relaxed)
    return value
  }

  func maintain<Value>(_ body: (any SQLSession) throws -> Value) throws(CatalogueError) -> Value {
    if stepsLeft.wrappingSubtract(1, ordering: .relaxed).newValue == -1 {
      throw .unavailable("the test has stopped maintenance")
    }
    return try database.maintain { try body(ProbeSession($0, self)) }
  }

  func observe(_ handler: @escaping ChangeHandler) throws(CatalogueError) {
    try holdsNotifications ? observer.withLock { $0 = handler } : database.observe(handler)
  }

  func notify(_ notification: ChangeNotification) throws {
    try observer.withLock { $0 }?(notification)
  }

  func unavailabilityReason() throws(CatalogueError) -> String? {
    try database.unavailabilityReason()
  }

  func structureFaults(limit: Int, _ session: any SQLSession) throws -> [String] {
    try database.structureFaults(limit: limit, session)
  }

  func close() { database.close() }
}

private final class ProbeSession: SQLSession {
  private let session: any SQLSession
  private let probe: DatabaseProbe

  init(_ session: any SQLSession, _ probe: DatabaseProbe) {
    self.session = session
    self.probe = probe
  }

  var dialect: SQLDialect { session.dialect }

  func run(_ sql: String, _ values: [SQLValue], _ row: (any SQLRow) throws -> Void) throws -> Int {
    probe.count { $0.statements += 1 }
    return try session.run(sql, values) {
      probe.count { $0.rows += 1 }
      try row($0)
    }
  }

  func run(
    _ sql: String, forEach sets: [[SQLValue]], _ row: (Int, any SQLRow) throws -> Void
  ) throws -> Int {
    probe.count { $0.statements += 1 }
    if probe.failsItems.load(ordering: .relaxed), sql.contains("FROM item WHERE") {
      throw CatalogueError.unavailable("the test has closed the database")
    }
    return try session.run(sql, forEach: sets) {
      probe.count { $0.rows += 1 }
      try row($0, $1)
    }
  }

  func runScript(_ sql: String) throws { try session.runScript(sql) }
  func nextNumber() throws -> Int64 { try session.nextNumber() }
  func clock() throws -> Int64 { try session.clock() }
  func notify(_ notifications: [ChangeNotification]) throws { try session.notify(notifications) }
  func bulkWriter() -> any SQLBulkWriter { session.bulkWriter() }
}
