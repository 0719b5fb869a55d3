package import Catalogue
@preconcurrency import Dispatch
import GRDB
package import SQLCatalogue
import Synchronization

/// A catalogue in a SQLite file. Many threads can read at the same time, one can write.
///
/// A committed edit is on the disk. Other processes can write too; SQLite's lock orders the writers.
package final class SQLiteFile: SQLDatabase {
  private let readers: ReaderPool
  private let logLimit: Int?
  private let log: @Sendable (String) -> Void
  /// Opened for the first write: a file that cannot be written can still be read.
  private let writer = Mutex<WritingConnection?>(nil)
  private let observer = Mutex<ChangeObserver?>(nil)
  private let replacement = Mutex(Replacement())
  private let isClosed = Atomic(false)
  private let writerEnded = DispatchGroup()

  /// Opens a file that exists.
  ///
  /// - Parameters:
  ///   - readers: how many threads can read at the same time.
  ///   - logLimit: the bytes that SQLite's log can have before the edit that reaches them checkpoints it.
  ///   - keepsUpInBackground: whether a background queue checkpoints the log before that.
  ///   - log: gets a sentence when another file replaces this one, or the file is deleted.
  /// - Throws: `.unavailable` if there is no file, or it is no catalogue of this version.
  package init(
    path: String, readers: Int = 8, logLimit: Int = 128 << 20, keepsUpInBackground: Bool = false,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(CatalogueError) {
    self.log = log
    self.readers = try ReaderPool(path: path, count: readers)
    self.logLimit = keepsUpInBackground ? logLimit : nil
  }

  package var name: String { readers.path }
  package var writerCount: Int { 1 }
  package var windowReader: (any WindowReader)? { readers }

  package func read<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try readers.read { try body($0) }
  }

  package func readStatement<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try readers.readStatement { try body($0) }
  }

  package func write<Value>(
    by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try mappingErrors(name) {
      let connection = try openWriter()
      let value = try connection.write(by: deadline, body)
      // While the connection waited for its turn, another file can have replaced this one. Readers already
      // read that file, so the change must not be acknowledged.
      if let staleReason = readers.staleReason ?? connection.file.staleReason {
        throw CatalogueError.outcomeUnknown("\(name): the change may be lost: \(staleReason)")
      }
      return value
    }
  }

  package func maintain<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try mappingErrors(name) { try openWriter().maintain(body) }
  }

  package func withParallelReaders<Value>(
    _ body: ([any ParallelSQLReader]) throws -> Value
  ) throws(CatalogueError) -> Value {
    try readers.withParallelReaders(body)
  }

  package func observe(_ handler: @escaping @Sendable (ChangeNotice) throws -> Void) {
    observer.withLock {
      $0 = ChangeObserver(
        readers, followFile: { [weak self] in self?.followFile() ?? false }, handler)
    }
  }

  package var readOnlyReason: String? {
    readers.staleReason
      ?? WriteProtection(of: name).map { "the database cannot be written: \($0.rawValue)" }
  }

  package func unavailabilityReason() -> String? { nil }

  package func structureFaults(limit: Int, _ session: any SQLSession) throws -> [String] {
    let faults = try session.map("PRAGMA integrity_check(\(limit))") { try $0.text(0) }
      .filter { $0 != "ok" }
    return try faults.isEmpty ? SchemaCheck.faults(session) : faults
  }

  /// Waits for running reads and writes. If no other process has the file open, the log is gone then.
  package func close() {
    observer.withLock { $0 = nil }
    writer.withLock { writer in
      isClosed.store(true, ordering: .sequentiallyConsistent)
      writer = nil
    }
    writerEnded.wait()
    readers.close()
  }

  private func openWriter() throws -> WritingConnection {
    try writer.withLock { writer in
      try checkPresence()
      if let writer { return writer }
      guard !isClosed.load(ordering: .sequentiallyConsistent) else {
        throw CatalogueError.unavailable("\(name) is closed")
      }
      let opened = try WritingConnection(
        name, isReplacement: replacement.withLock { $0.isUnwritten }, logLimit: logLimit,
        ended: writerEnded)
      // Another file can have come since. Then this connection is of that file, and is dropped.
      try checkPresence()
      replacement.withLock { $0.isUnwritten = false }
      writer = opened
      return opened
    }
  }

  private func checkPresence() throws(CatalogueError) {
    if let staleReason = readers.staleReason {
      throw .unavailable("\(name) cannot be written: \(staleReason)")
    }
  }

  // MARK: - A file that replaces this one

  private struct Replacement {
    /// The sentences in the log since the file was displaced.
    var logged: Set<String> = []
    /// The file at the path when it was looked at last.
    var found: FileState?
    /// Whether the open file has replaced another one, and was not written since.
    var isUnwritten = false
  }

  /// Opens the file that has replaced the open one. A file that changes is not complete: it is opened when
  /// two calls have found it the same. For one thread.
  ///
  /// - Returns: whether another file is read from now on.
  private func followFile() -> Bool {
    guard let staleReason = readers.staleReason else {
      if !replacement.withLock({ $0.logged.isEmpty }) {
        logOnce("\(name): the database file is back. Edits are accepted again.", isLast: true)
      }
      return false
    }
    logOnce("\(name): \(staleReason). Edits fail until a database is there. Reads go on.")
    let found = FileState(path: name)
    let isStable = replacement.withLock { state in
      defer { state.found = found }
      return found != nil && state.found == found
    }
    guard isStable else { return false }
    do throws(CatalogueError) {
      // The lock keeps a writer from opening the new file before it is known as a replacement.
      let wasWritten = try writer.withLock { writer throws(CatalogueError) in
        let wasWritten = writer != nil
        writer = nil
        try readers.openReplacement()
        replacement.withLock { $0.isUnwritten = true }
        return wasWritten
      }
      // The new revisions are above all that readers know.
      if wasWritten { _ = try? openWriter() }
      logOnce("\(name): the new database file is served. Edits are accepted again.", isLast: true)
      return true
    } catch {
      logOnce("\(name): the new database file cannot be served: \(error)")
      return false
    }
  }

  /// Logs a sentence once, up to the last one of a replacement.
  private func logOnce(_ sentence: String, isLast: Bool = false) {
    let isNew = replacement.withLock { state in
      let isNew = state.logged.insert(sentence).inserted
      if isLast { state.logged = [] }
      return isNew
    }
    if isNew { log(sentence) }
  }
}
