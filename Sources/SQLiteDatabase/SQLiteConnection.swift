import CSQLite
@preconcurrency import Dispatch
import Foundation
import Synchronization

/// A connection to a SQLite file. Threads use it one after another, in the order in which they come.
package final class SQLiteConnection: @unchecked Sendable {
  let path: String
  private let queue = DispatchQueue(label: "carousel.sqlite")
  // Used on `queue`. It changes once, on `queue` and with `closing` held.
  private var handle: SQLiteHandle?
  private let closing = NSLock()

  /// - Parameter timeout: how many milliseconds a statement waits for the lock of another connection.
  package init(path: String, isReadOnly: Bool = false, timeout: Int = 0) throws(SQLiteFailure) {
    self.path = path
    handle = try SQLiteHandle(path: path, isReadOnly: isReadOnly, timeout: timeout)
  }

  /// Runs `body` outside of a transaction.
  package func use<Value>(_ body: (SQLiteHandle) throws -> Value) throws -> Value {
    try queue.sync {
      guard let handle else { throw SQLiteFailure(SQLITE_MISUSE) }
      return try body(handle)
    }
  }

  /// Runs `body` in a transaction: everything it reads is of one moment.
  func read<Value>(_ body: (SQLiteHandle) throws -> Value) throws -> Value {
    try use { db in try db.transaction(.deferred) { try body(db) } }
  }

  /// Runs `body` in a transaction that writes.
  func write<Value>(_ body: (SQLiteHandle) throws -> Value) throws -> Value {
    try use { db in try db.transaction(.immediate) { try body(db) } }
  }

  /// Ends the statement that another thread runs, with `SQLITE_INTERRUPT`.
  func interrupt() { closing.withLock { if let handle { sqlite3_interrupt(handle.pointer) } } }

  /// Closes the connection after the current use. Later uses fail.
  func close() { queue.sync { closing.withLock { handle = nil } } }
}

/// Connections that read a file at the same time. They are opened when they are needed, up to a limit.
final class ConnectionPool: Sendable {
  private struct State {
    var free: [SQLiteConnection] = []
    var all: [SQLiteConnection] = []
  }

  private let state = Mutex(State())
  private let permits: DispatchSemaphore
  private let open: @Sendable () throws -> SQLiteConnection

  init(limit: Int, open: @escaping @Sendable () throws -> SQLiteConnection) {
    permits = DispatchSemaphore(value: limit)
    self.open = open
  }

  /// Runs `body` on a free connection. Waits for one if all are in use.
  func withConnection<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    permits.wait()
    defer { permits.signal() }
    let connection = try state.withLock { $0.free.popLast() } ?? opened()
    defer { state.withLock { $0.free.append(connection) } }
    return try body(connection)
  }

  private func opened() throws -> SQLiteConnection {
    let connection = try open()
    state.withLock { $0.all.append(connection) }
    return connection
  }

  /// Ends the statements that run.
  func interrupt() {
    for connection in state.withLock({ $0.all }) { connection.interrupt() }
  }

  /// Closes all connections after their current use.
  func close() {
    for connection in state.withLock({ $0.all }) { connection.close() }
  }
}
