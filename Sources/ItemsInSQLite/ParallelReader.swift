import Foundation
import GRDB

/// A connection that reads along with a transaction of another one: it sees the same state of the
/// database, or it reads nothing.
///
///     companion.look()                 // before the transaction begins
///     try database.read { db in
///       // on another thread:
///       companion.read { its in … }    // what `db` sees
///     }
///
/// Where somebody has committed between the look and the companion's own transaction, it cannot know
/// whether the other one sees that; this takes some microseconds, and who is left alone then reads
/// everything itself.
final class ParallelReader: Sendable {
  private let connection: DatabaseQueue
  // Written by `look` alone, which nobody calls while another thread reads.
  private nonisolated(unsafe) var version: Int?

  /// Opens a database that others have open; nil where that fails.
  init?(path: String) {
    var configuration = Configuration()
    configuration.readonly = true
    guard let connection = try? DatabaseQueue(path: path, configuration: configuration) else {
      return nil
    }
    self.connection = connection
  }

  deinit { try? connection.close() }

  /// As many as there are processors beside the one that the caller has, up to three.
  static func several(path: String) -> [ParallelReader] {
    let count = min(ProcessInfo.processInfo.activeProcessorCount, 4) - 1
    return (0..<count).compactMap { _ in ParallelReader(path: path) }
  }

  /// Remembers the state that the database is in.
  func look() { version = try? connection.read(Self.version) }

  /// Runs `body` in a transaction that sees what each one sees that began since the last look;
  /// does nothing where that is not certain, or where reading fails.
  func read(_ body: (Database) throws -> Void) {
    guard let version else { return }
    try? connection.read { db in
      // The transaction begins with this question, and stays in the state that it was asked in.
      if try Self.version(db) == version { try body(db) }
    }
  }

  /// A number that is another one whenever somebody has committed since it was last asked for.
  private static func version(_ db: Database) throws -> Int? {
    try Int.fetchOne(db, sql: "PRAGMA data_version")
  }
}
