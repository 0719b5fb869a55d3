package import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
package import SQLCatalogue
import Synchronization

/// A catalogue in a SQLite file. Many threads can read at the same time, one can write. Other processes can write too.
package final class SQLiteFile: SQLDatabase {
  package let name: String
  private let readerCount: Int
  private let pageCache: Int
  private let logLimit: Int?
  private let log: @Sendable (String) -> Void
  /// Nil once the file is closed.
  private let readers: Mutex<ReadConnections?>
  /// Opened for the first write, so that a read-only file can be read.
  private let writer = Mutex<WritingConnection?>(nil)
  private let observer = Mutex<ChangeObserver?>(nil)
  private let replacement = Mutex(Replacement())
  private let isClosed = Atomic(false)
  private let writerEnded = DispatchGroup()
  private let readersEnded = DispatchGroup()

  /// - Parameters:
  ///   - pageCache: in bytes, for each of the `readers` connections that read windows, and for the one that writes.
  ///   - logLimit: the bytes of SQLite's log at which an edit checkpoints it.
  ///   - keepsUpInBackground: whether a background queue checkpoints the log before that.
  ///   - log: gets a sentence when another file replaces this one, or the file is deleted.
  /// - Throws: `.unavailable` if there is no file, or it is no catalogue of this version.
  package init(
    path: String, readers: Int = 8, pageCache: Int = 64 << 20, logLimit: Int = 128 << 20,
    keepsUpInBackground: Bool = false, log: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(CatalogueError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      guard access(path, F_OK) == 0 || errno != EACCES else {
        throw .unavailable("\(path) cannot be read: permission denied")
      }
      throw .unavailable("\(path) does not exist; \"carousel import\" makes a database")
    }
    guard !isFolder.boolValue else {
      throw .unavailable("\(path) is a folder, not a database")
    }
    name = path
    readerCount = readers
    self.pageCache = pageCache
    self.logLimit = keepsUpInBackground ? logLimit : nil
    self.log = log
    let ended = readersEnded
    self.readers = Mutex(
      try mappingErrors(path) {
        try ReadConnections(path: path, count: readers, pageCache: pageCache, ended: ended)
      })
  }

  package var writerCount: Int { 1 }

  // MARK: - Reading

  package func read<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try reading { try $0.pool.read { try body(SQLiteSession($0, path: name)) } }
  }

  package func readStatement<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try reading { try $0.pool.unsafeRead { try body(SQLiteSession($0, path: name)) } }
  }

  /// None for an immutable file, which can be reopened in between.
  package func withParallelReaders<Value>(
    _ body: ([any ParallelSQLReader]) throws -> Value
  ) throws(CatalogueError) -> Value {
    let connections = try present()
    return try mappingErrors(name) {
      try body(connections.immutable == nil ? ParallelReader.make(of: connections.opened) : [])
    }
  }

  func dataVersion() throws(CatalogueError) -> Int {
    // The numbers compare only on one connection. The pool has one for writes, which is always the same.
    try reading { try $0.pool.writeWithoutTransaction { try $0.dataVersion() } }
  }

  /// - Throws: `.unavailable`, whatever `body` gives or throws, if the reads were not of one moment.
  private func reading<Value>(
    _ body: (ReadConnections) throws -> Value
  ) throws(CatalogueError) -> Value {
    let connections = try present()
    let result = Result { try body(connections) }
    try connections.immutable?.check()
    return try mappingErrors(name, result.get)
  }

  private func present() throws(CatalogueError) -> ReadConnections {
    guard let current = readers.withLock({ $0 }) else { throw .unavailable("\(name) is closed") }
    return current
  }

  package func endIdleTransactions() { readers.withLock { $0 }?.windows.endIdleTransactions() }

  package func structureFaults(limit: Int, _ session: any SQLSession) throws -> [String] {
    let faults = try session.map("PRAGMA integrity_check(\(limit))") { try $0.text(0) }
      .filter { $0 != "ok" }
    return try faults.isEmpty ? SchemaCheck.faults(session) : faults
  }

  // MARK: - Writing

  package func write<Value>(
    by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    let connection = try openWriter()
    let value = try connection.write(by: deadline, body)
    // Another file can have replaced this one while the connection waited. Readers read that file, so the change must
    // not be acknowledged.
    if let staleReason = staleReason ?? connection.file.staleReason {
      throw .outcomeUnknown("\(name): the change may be lost: \(staleReason)")
    }
    return value
  }

  package func maintain<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try openWriter().maintain(body)
  }

  private func openWriter() throws(CatalogueError) -> WritingConnection {
    try writer.withLock { writer throws(CatalogueError) in
      try checkPresence()
      if let writer { return writer }
      guard !isClosed.load(ordering: .sequentiallyConsistent) else {
        throw .unavailable("\(name) is closed")
      }
      let isReplacement = replacement.withLock { $0.isUnwritten }
      let opened = try mappingErrors(name) {
        try WritingConnection(
          name, isReplacement: isReplacement, pageCache: pageCache, logLimit: logLimit,
          ended: writerEnded
        )
      }
      // The connection is dropped if it is of another file.
      try checkPresence()
      replacement.withLock { $0.isUnwritten = false }
      writer = opened
      return opened
    }
  }

  private func checkPresence() throws(CatalogueError) {
    if let staleReason = try present().staleReason {
      throw .unavailable("\(name) cannot be written: \(staleReason)")
    }
  }

  /// Why nothing may be written to the file that is read; nil if it is the file at the path.
  private var staleReason: String? { readers.withLock { $0 }?.staleReason }

  package var readOnlyReason: String? {
    staleReason
      ?? WriteProtection(of: name).map { "the database cannot be written: \($0.rawValue)" }
  }

  package func unavailabilityReason() -> String? { nil }

  /// A connection that reads layouts and tokens has SQLite's default of 2 MB.
  package var pageCacheLimit: Int? { (readerCount + 1) * pageCache + readerCount * (2 << 20) }

  package var logBytes: Int? { FileStamp(path: name + "-wal")?.size ?? 0 }

  package func observe(_ handler: @escaping @Sendable (ChangeNotice) throws -> Void) {
    observer.withLock { $0 = ChangeObserver(self, handler) }
  }

  /// Waits for running reads and writes. If no other process has the file open, the log is gone then.
  package func close() {
    observer.withLock { $0 = nil }
    writer.withLock { writer in
      isClosed.store(true, ordering: .sequentiallyConsistent)
      writer = nil
    }
    writerEnded.wait()
    readers.withLock { readers in
      readers?.pool.interrupt()
      readers = nil
    }
    readersEnded.wait()
  }

  // MARK: - A file that replaces this one

  private struct Replacement {
    /// The sentences in the log since the file was displaced.
    var logged: Set<String> = []
    /// The file at the path at the last look.
    var found: FileStamp?
    /// Whether the open file has replaced another one, and was not written since.
    var isUnwritten = false
  }

  /// Opens the file that has replaced the open one, once two calls find it unchanged: then it is complete. For one
  /// thread.
  ///
  /// - Returns: whether another file is read from now on.
  func followFile() -> Bool {
    guard let staleReason else {
      if !replacement.withLock({ $0.logged.isEmpty }) {
        logOnce("\(name): the database file is back. Edits are accepted again.", isLast: true)
      }
      return false
    }
    logOnce("\(name): \(staleReason). Edits fail until a database is there. Reads go on.")
    let found = FileStamp(path: name)
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
        let displaced = try present()
        try reopen {
          try ImmutableDatabase.checkComplete(name)
          try displaced.releaseLogs()
        }
        replacement.withLock { $0.isUnwritten = true }
        return wasWritten
      }
      // The new revisions are above all that readers know.
      if wasWritten { try? openWriter().write(by: WriteDeadline()) { _ in } }
      logOnce("\(name): the new database file is served. Edits are accepted again.", isLast: true)
      return true
    } catch {
      logOnce("\(name): the new database file cannot be served: \(error)")
      return false
    }
  }

  /// Reopens an immutable file that another process has written to. Until then nothing can be read. For one thread.
  ///
  /// - Returns: whether it was opened.
  func reopenIfOutdated() throws(CatalogueError) -> Bool {
    guard try present().immutable?.isOutdated == true else { return false }
    try reopen {}
    return true
  }

  private func reopen(_ prepare: () throws -> Void) throws(CatalogueError) {
    let opened = try mappingErrors(name) {
      try prepare()
      return try ReadConnections(
        path: name, count: readerCount, pageCache: pageCache, ended: readersEnded)
    }
    readers.withLock { if $0 != nil { $0 = opened } }
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

extension SQLiteFile: WindowReader {
  package var windowReader: (any WindowReader)? { self }

  package func read(
    _ positions: [Int64], of strip: Int64, at revision: Int64, _ body: (ItemBytes) -> Void
  ) -> Int {
    // No wait for the lock: the caller has another way to read.
    guard let connections = readers.withLockIfAvailable({ $0 }) ?? nil else { return 0 }
    guard let file = connections.immutable else {
      return connections.windows.read(positions, of: strip, at: revision, body)
    }
    // Items count only if the file did not change until all of them were read.
    var items: [(id: [UInt8], fields: [UInt8])] = []
    let count = connections.windows.read(positions, of: strip, at: revision) {
      items.append((Array($0.id), Array($0.fields)))
    }
    guard (try? file.check()) != nil else { return 0 }
    for item in items {
      item.id.withUnsafeBytes { id in
        item.fields.withUnsafeBytes { body(ItemBytes(id: id, fields: $0)) }
      }
    }
    return count
  }
}
