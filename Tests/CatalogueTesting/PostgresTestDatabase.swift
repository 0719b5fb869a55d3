import Foundation
import Synchronization

/// A PostgreSQL database without a catalogue, for one test. Later tests use the database again, because
/// the creation of a database takes half a second.
package final class PostgresTestDatabase: Sendable {
  /// The address of the server that `Scripts/with-postgres` runs; nil if there is none.
  package static let server = ProcessInfo.processInfo.environment["POSTGRES"]

  /// The names of databases that no test uses, and how many there are.
  private static let pool = Mutex<(free: [String], count: Int)>(([], 0))

  private let name: String
  /// A connection string.
  package let address: String

  package init() throws {
    guard let server = Self.server else { throw RejectedStatement(sql: "there is no server") }
    let (reused, count) = Self.pool.withLock { pool in
      let reused = pool.free.popLast()
      if reused == nil { pool.count += 1 }
      return (reused, pool.count)
    }
    name = reused ?? "carousel_test_\(ProcessInfo.processInfo.processIdentifier)_\(count)"
    address = server.replacing("/postgres?", with: "/\(name)?")
    guard reused != nil else {
      try Self.psql(server, ["CREATE DATABASE \(name)"])
      return
    }
    // Connections of the previous test can still hold locks, and come again. In a deadlock, the one
    // whose `deadlock_timeout` ends first gets an error: theirs.
    try psql(
      "SET deadlock_timeout TO '1min'",
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        + "AND pid <> pg_backend_pid()", "SET client_min_messages TO warning",
      "DROP SCHEMA IF EXISTS carousel CASCADE")
  }

  deinit { Self.pool.withLock { $0.free.append(name) } }

  /// Runs statements with another client.
  ///
  /// - Returns: their output, without headings.
  @discardableResult
  package func psql(_ statements: String...) throws -> String {
    try Self.psql(address, statements)
  }

  @discardableResult
  private static func psql(_ address: String, _ statements: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["psql", "--no-psqlrc", "-qAtv", "ON_ERROR_STOP=1"] + statements.flatMap { ["-c", $0] }
      + [address]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let given = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw RejectedStatement(sql: statements.joined(separator: "; "))
    }
    return String(decoding: given, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  package struct RejectedStatement: Error { let sql: String }
}

/// A kind of database. Tests that hold for both kinds have `allCases` as arguments.
package enum Store: String, CaseIterable, CustomStringConvertible, Sendable {
  case sqlite, postgres

  /// PostgreSQL only if `Scripts/with-postgres` runs one.
  package static var allCases: [Store] {
    PostgresTestDatabase.server == nil ? [.sqlite] : [.sqlite, .postgres]
  }

  package var description: String { rawValue }
}
