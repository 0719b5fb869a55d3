import Catalogue
import Foundation
import GRDB

/// Brings a database of an older version up to date, in one transaction, after a copy of it has
/// been made beside it.
enum Migration {
  /// Does nothing to a database that is up to date, of a newer version, none of ours, or that cannot
  /// be written: whoever opens it is told.
  ///
  /// - Throws: `.failed` where there is no room for the copy, `.busy` while another command writes.
  static func bringUpToDate(_ path: String) throws(CatalogueError) {
    guard FileManager.default.isWritableFile(atPath: path), let version = version(of: path),
      1..<Schema.version ~= version
    else { return }
    try catching(path) {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
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
    let fromThird = Schema.fourth + Schema.fifth + Schema.sixth
    return switch try Int.fetchOne(db, sql: "PRAGMA user_version") {
    case 1: fromFirst + third + fromThird
    case 2: fromSecond + third + fromThird
    case 3: fromThird
    case 4: Schema.fifth + Schema.sixth
    case 5: Schema.sixth
    default: nil
    }
  }

  /// What version 2 brought, as far as it has lasted.
  private static let fromFirst = """
    ALTER TABLE layout ADD COLUMN positions BLOB CHECK (length(positions) = 8 * count);
    CREATE TABLE former (
      name TEXT PRIMARY KEY,
      revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE token (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      strip TEXT NOT NULL,
      made INTEGER NOT NULL,
      expires INTEGER
    ) STRICT;
    CREATE TABLE once (
      strip TEXT NOT NULL,
      key BLOB NOT NULL,
      body BLOB NOT NULL,
      revision INTEGER NOT NULL,
      made INTEGER NOT NULL,
      PRIMARY KEY (strip, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX once_made ON once (made);

    """

  /// Version 2 kept the past as whole rows of the layout: what it held is let go of.
  private static let fromSecond = """
    DROP INDEX layout_since;
    ALTER TABLE layout DROP COLUMN since;
    DROP TABLE past_strip;
    DROP TABLE past_item;
    DROP TABLE past_layout;

    """

  /// A strip's row may go before those that belong to it: so these rules do not refer to it any
  /// more (the way that SQLite's documentation of ALTER TABLE gives for taking one away).
  private static let third = """
    ALTER TABLE strip ADD COLUMN folded INTEGER NOT NULL DEFAULT 0;
    UPDATE strip SET folded = revision;
    ALTER TABLE token ADD COLUMN only_reads INTEGER NOT NULL DEFAULT 0
      CHECK (only_reads IN (0, 1));
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'strip INTEGER NOT NULL REFERENCES strip,',
      'strip INTEGER NOT NULL,') WHERE name IN ('kind', 'layout');
    PRAGMA writable_schema = RESET;

    """ + Schema.past

  /// The version that a file says it is of, if it is one of ours and can be read.
  ///
  /// Asked through SQLite, never by opening the file: where a process closes a descriptor of its own,
  /// all its locks on that file are gone, and others take away the log that it writes to
  /// (https://www.sqlite.org/howtocorrupt.html, 2.2).
  private static func version(of path: String) -> Int? {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    return try? DatabaseQueue(path: path, configuration: configuration).read { db in
      guard try Int.fetchOne(db, sql: "PRAGMA application_id") == Schema.applicationID else {
        return nil
      }
      return try Int.fetchOne(db, sql: "PRAGMA user_version")
    }
  }

  private static func freeName(_ name: String) -> String {
    let names = [name] + (2...999).map { "\(name)-\($0)" }
    return names.first { !FileManager.default.fileExists(atPath: $0) } ?? name
  }
}
