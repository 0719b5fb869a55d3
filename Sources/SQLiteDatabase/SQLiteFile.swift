package import Catalogue
@preconcurrency import Dispatch
import Foundation
import GRDB
package import Items
package import SQLCatalogue
import Synchronization
package import Views

/// A catalogue in a SQLite file. Many threads can read at the same time, one can write. Other processes can write too.
package final class SQLiteFile: SQLDatabase {
  package let name: String
  private let readerCount: Int
  private let pageCache: Int
  private let walLimit: Int?
  private let log: @Sendable (String) -> Void
  /// Nil once the file is closed.
  private let readers: Mutex<ReaderConnections?>
  /// Opened for the first write, so that a read-only file can be read.
  private let writer = Mutex<WriterConnection?>(nil)
  private let observer = Mutex<ChangeObserver?>(nil)
  private let onReplacement: @Sendable () -> Void
  /// The reason that the log has named last.
  private let knownStaleReason = Mutex<String?>(nil)
  private let isClosed = Atomic(false)
  private let writeHealth = WriteHealth()
  private let writerEnded = DispatchGroup()
  private let readersEnded = DispatchGroup()

  /// - Parameters:
  ///   - pageCache: in bytes, for each of the `readers` connections that read windows, and for the one that writes.
  ///   - walLimit: the bytes of SQLite's log at which an edit checkpoints it.
  ///   - keepsUpInBackground: whether a background queue checkpoints the log before that.
  ///   - log: gets a sentence when another file has the path, or the file is deleted.
  ///   - onReplacement: runs once another file has the path. Nothing can be written then.
  /// - Throws: `.unavailable` if there is no file, or it is no catalogue of this version.
  package init(
    path: String, readers: Int = 8, pageCache: Int = 64 << 20, walLimit: Int = 128 << 20,
    keepsUpInBackground: Bool = false, log: @escaping @Sendable (String) -> Void = { _ in },
    onReplacement: @escaping @Sendable () -> Void = {}
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
    self.walLimit = keepsUpInBackground ? walLimit : nil
    self.log = log
    self.onReplacement = onReplacement
    let ended = readersEnded
    self.readers = Mutex(
      try mappingErrors(path) {
        try ReaderConnections(path: path, count: readers, pageCache: pageCache, ended: ended)
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

  func dataVersion() throws(CatalogueError) -> Int {
    // Only numbers of one connection can be compared. The pool has one connection for writes, which is always the same.
    try reading { try $0.pool.writeWithoutTransaction { try $0.dataVersion() } }
  }

  private func reading<Value>(
    _ body: (ReaderConnections) throws -> Value
  ) throws(CatalogueError) -> Value {
    let connections = try present()
    return try mappingErrors(name) { try body(connections) }
  }

  private func present() throws(CatalogueError) -> ReaderConnections {
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
    try writeHealth.recording { () throws(CatalogueError) in
      try openWriter().write(by: deadline, body)
    }
  }

  package func maintain<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value {
    try openWriter().maintain(body)
  }

  private func openWriter() throws(CatalogueError) -> WriterConnection {
    try writer.withLock { writer throws(CatalogueError) in
      try checkPresence()
      if let writer { return writer }
      guard !isClosed.load(ordering: .sequentiallyConsistent) else {
        throw .unavailable("\(name) is closed")
      }
      let opened = try mappingErrors(name) {
        try WriterConnection(
          name, pageCache: pageCache, walLimit: walLimit, ended: writerEnded)
      }
      // The connection is dropped if it is of another file.
      try checkPresence()
      writer = opened
      return opened
    }
  }

  private func checkPresence() throws(CatalogueError) {
    if let staleReason = try present().file.staleReason {
      throw .unavailable("\(name) cannot be written: \(staleReason)")
    }
  }

  /// Why nothing may be written to the file that is read; nil if it is the file at the path.
  private var staleReason: String? { readers.withLock { $0 }?.file.staleReason }

  package var readOnlyReason: String? {
    staleReason
      ?? WriteProtection(of: name).map { "the database cannot be written: \($0.rawValue)" }
      ?? writeHealth.failureReason
  }

  /// Checks whether the folder has space again after a change that failed for want of space. For one thread.
  func probeSpace() {
    if writeHealth.failureReason != nil, FreeSpaceProbe.hasSpace(beside: name) {
      writeHealth.recover()
    }
  }

  package func unavailabilityReason() -> String? { nil }

  /// A connection that reads geometries and tokens has SQLite's default of 2 MB.
  package var pageCacheLimit: Int? { (readerCount + 1) * pageCache + readerCount * (2 << 20) }

  package var walBytes: Int? { FileStatus(path: name + "-wal")?.size ?? 0 }

  package func observe(_ handler: @escaping ChangeHandler) {
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

  // MARK: - Another file at the path

  /// Logs what has changed at the path since the last call. For one thread.
  func checkPath() {
    let reason = staleReason
    guard
      knownStaleReason.withLock({ known in
        defer { known = reason }
        return known != reason
      })
    else { return }
    switch reason {
    case nil: log("\(name): the database file is back. Edits are accepted again.")
    case FileReference.replaced?:
      let walPath = readers.withLock { $0 }?.moveWAL()
      log(
        "\(name): another file has this name now. The server stops, so that its next start serves that file."
          + (walPath.map { " The log of the former file is \($0)." } ?? ""))
      onReplacement()
    case let reason?:
      log("\(name): \(reason). Edits fail until it is back. Reads go on.")
    }
  }
}

extension SQLiteFile: WindowReader {
  package var windowReader: (any WindowReader)? { self }

  package func read(
    _ sortKeys: [Int64], of strip: Int64, at revision: Int64, _ body: (ItemBytes) -> Void
  ) -> Int {
    // No wait for the lock: the caller has another way to read.
    guard let connections = readers.withLockIfAvailable({ $0 }) ?? nil else { return 0 }
    return connections.windows.read(sortKeys, of: strip, at: revision, body)
  }
}
