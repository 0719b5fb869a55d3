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
  /// Opened for the first write: a file that cannot be written can still be read.
  private let writer = Mutex<WritingConnection?>(nil)
  private let observer = Mutex<ChangeObserver?>(nil)
  private let isClosed = Atomic(false)
  private let writerEnded = DispatchGroup()

  /// Opens a file that exists.
  ///
  /// - Parameters:
  ///   - readers: how many threads can read at the same time.
  ///   - logLimit: the bytes that SQLite's log can have before the edit that reaches them checkpoints it.
  ///   - keepsUpInBackground: whether a background queue checkpoints the log before that.
  /// - Throws: `.unavailable` if there is no file, or it is no catalogue of this version.
  package init(
    path: String, readers: Int = 8, logLimit: Int = 128 << 20, keepsUpInBackground: Bool = false
  ) throws(CatalogueError) {
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
    try mappingErrors(name) { try openWriter().write(by: deadline, body) }
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
    observer.withLock { $0 = ChangeObserver(readers, handler) }
  }

  package func unavailabilityReason() -> String? { nil }

  package func structureFaults(limit: Int, _ session: any SQLSession) throws -> [String] {
    try session.map("PRAGMA integrity_check(\(limit))") { try $0.text(0) }.filter { $0 != "ok" }
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
      if let writer { return writer }
      guard !isClosed.load(ordering: .sequentiallyConsistent) else {
        throw CatalogueError.unavailable("\(name) is closed")
      }
      let opened = try WritingConnection(name, logLimit: logLimit, ended: writerEnded)
      writer = opened
      return opened
    }
  }
}
