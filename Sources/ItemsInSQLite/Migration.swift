import Foundation
import GRDB
import Items

/// Brings a database of an older version up to date, in one transaction, after a copy of it has
/// been made beside it.
enum Migration {
  /// Does nothing to a database that is up to date, of a newer version, none of ours, or that cannot
  /// be written: whoever opens it is told.
  ///
  /// - Throws: `.failed` where there is no room for the copy, `.unavailable` while another command
  ///   writes.
  static func bringUpToDate(_ path: String) throws(CatalogueError) {
    guard FileManager.default.isWritableFile(atPath: path), let version = version(of: path),
      version < Schema.version
    else { return }
    try catching(path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      // The file may not have taken in what its log says.
      guard try queue.read(Self.steps) != nil else { return }
      let copy = try Backup.copy(queue, to: freeName(path + ".version-\(version)"))
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
        var isNeeded = true
        try db.inTransaction(.immediate) {
          let steps = try Self.steps(db)
          isNeeded = steps != nil
          if let steps { try db.execute(sql: steps) }
          return .commit
        }
        // Another command was quicker, and has made a copy of its own.
        if !isNeeded { unlink(copy) }
      }
      try? queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      try queue.close()
    }
  }

  /// What makes the newest version of the one that a database is of; nil for the newest itself.
  private static func steps(_ db: Database) throws -> String? {
    switch try Int.fetchOne(db, sql: "PRAGMA user_version") {
    case 1: Schema.second + Schema.third
    case 2: Schema.third
    default: nil
    }
  }

  /// The version that a file says it is of, if it is one of ours.
  ///
  ///     offset 60  user_version, big-endian
  ///     offset 68  application_id
  ///
  /// Read from the file's first page as SQLite's file format has it; a log beside it may say more,
  /// but these two change only here.
  private static func version(of path: String) -> Int? {
    guard let file = FileHandle(forReadingAtPath: path),
      let head = try? file.read(upToCount: 100), head.count == 100
    else { return nil }
    func number(at offset: Int) -> Int { head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    return number(at: 68) == Schema.applicationID ? number(at: 60) : nil
  }

  private static func freeName(_ name: String) -> String {
    let names = [name] + (2...999).map { "\(name)-\($0)" }
    return names.first { !FileManager.default.fileExists(atPath: $0) } ?? name
  }
}
