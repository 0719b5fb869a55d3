package import Catalogue

/// A database that can hold a catalogue. It connects, runs statements, copies in bulk, locks, and reports
/// changes; the algorithms and the SQL stand in this module, above it.
///
///     let names = try database.read { session in
///       try session.map("SELECT name FROM strip ORDER BY place") { try $0.text(0) }
///     }
///
/// The SQL uses `ON CONFLICT`, `RETURNING`, `NULLS FIRST` and comparisons of rows, as SQLite and PostgreSQL have
/// them. A database without these cannot conform.
///
/// Implementations turn every error of their library into a `CatalogueError`. Calls come from many threads.
package protocol SQLDatabase: AnyObject, Sendable {
  /// How errors name the database: a path, or an address without its password.
  var name: String { get }

  /// How many changes can be written at the same time, each to another strip.
  var writerCount: Int { get }

  /// Runs `body` in a transaction that reads one moment of the database and writes nothing.
  ///
  /// - Throws: what `body` throws; `.unavailable` if the database cannot be reached.
  func read<Value>(_ body: (any SQLSession) throws -> Value) throws(CatalogueError) -> Value

  /// Runs `body`, which is one statement, without a transaction of its own.
  func readStatement<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value

  /// Runs `body` in a transaction that writes, and commits it durably.
  ///
  /// - Parameter deadline: how long to wait for a lock.
  /// - Throws: what `body` throws, and nothing is written; `.busy` if the deadline is over.
  func write<Value>(
    by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value

  /// Runs one step of maintenance in a short transaction. A crash can lose it: the next run does it again.
  func maintain<Value>(_ body: (any SQLSession) throws -> Value) throws(CatalogueError) -> Value

  /// Runs `body` with sessions that read the same moment as `session`, for parallel reads of a long
  /// layout; with none if the database offers none. Each session is used by one thread.
  ///
  /// - Parameter body: a reader that cannot see that moment does nothing.
  func withParallelReaders<Value>(
    _ body: ([any ParallelSQLReader]) throws -> Value
  ) throws(CatalogueError) -> Value

  /// Reads items of a window without blocking; nil if the database has no such path.
  var windowReader: (any WindowReader)? { get }

  /// Calls `handler` with changes that any process commits, on a thread of the database's own, until
  /// `close`. The first call is `.anything`.
  ///
  /// - Parameter handler: called again with `.anything` after a pause if it throws.
  func observe(_ handler: @escaping @Sendable (ChangeNotice) throws -> Void)

  /// Why the database cannot be reached now; nil if it can.
  ///
  /// - Throws: what a later attempt cannot mend, such as a wrong password or a newer version.
  func unavailabilityReason() throws(CatalogueError) -> String?

  /// Why no change can be written now, without paths and addresses; nil if nothing is known to prevent it.
  var readOnlyReason: String? { get }

  /// Whether the database is a copy that can be behind the one that changes are written to.
  var mayLag: Bool { get }

  /// What the database itself finds wrong with its structure, a sentence each, at most `limit`.
  func structureFaults(limit: Int, _ session: any SQLSession) throws -> [String]

  /// Bytes of the write-ahead log. Nil if the database does not tell.
  var logBytes: Int? { get }

  /// The most bytes of the page caches of all connections of this process. Nil if the database has none here.
  var pageCacheLimit: Int? { get }

  /// Closes all connections. Later calls throw `.unavailable`.
  func close()
}

extension SQLDatabase {
  package var readOnlyReason: String? { nil }
  package var mayLag: Bool { false }
  package var logBytes: Int? { nil }

  package var pageCacheLimit: Int? { nil }
}

/// A database that an import writes to. It makes the catalogue's tables if there are none.
package protocol SQLImportDatabase: AnyObject, Sendable {
  var name: String { get }

  /// Runs `body` in one transaction, and commits it durably.
  func importing<Value>(_ body: (any SQLSession) throws -> Value) throws(CatalogueError) -> Value

  /// The database as it is before the import; nil if the import makes its tables.
  ///
  /// - Throws: what the import would throw before it writes.
  func existing() throws(CatalogueError) -> (any SQLDatabase)?

  /// Stops the statement that runs, from another thread.
  func interrupt()
}

/// A change that a process has committed.
package enum ChangeNotice: Hashable, Sendable {
  /// The strip of this name has a new revision.
  case strip(String)
  /// Strips were made, removed or reordered.
  case list
  /// Anything can have changed.
  case anything
  /// Another database is at the address: nothing that was read before is of it.
  case replaced
  /// Reported every few seconds, also while the database changes.
  case periodic
}

extension ChangeNotice {
  /// Transactions that change more strips report `.anything`.
  private static let longestList = 1000

  package init(text: String) {
    switch text {
    case "": self = .list
    case "*": self = .anything
    default: self = .strip(text)
    }
  }

  /// The texts that a database transmits for notices of one transaction, each once.
  package static func texts(of notices: [ChangeNotice]) -> [String] {
    let texts = Set(notices.compactMap(\.text))
    return texts.count > longestList || texts.contains("*") ? ["*"] : texts.sorted()
  }

  private var text: String? {
    switch self {
    case .strip(let name): name
    case .list: ""
    case .anything: "*"
    case .periodic, .replaced: nil
    }
  }
}

/// A session that reads the same moment as the session of the caller.
package protocol ParallelSQLReader: Sendable {
  /// Runs `body` if the session sees the moment that the caller's transaction sees; else does nothing.
  func read(_ body: (any SQLSession) throws -> Void)
}

/// Reads items of windows at once, on connections of its own.
package protocol WindowReader: Sendable {
  /// Gives the items at `positions` of a strip at a revision, in order, as far as it finds them without
  /// waiting. An item counts if its row is not newer than the revision.
  ///
  /// - Returns: how many items it gave; 0 if all connections are in use.
  func read(
    _ positions: [Int64], of strip: Int64, at revision: Int64, _ body: (ItemBytes) -> Void
  ) -> Int
}

// What both databases say of errors.
extension CatalogueError {
  /// Runs `body`, and turns each error of a database's library into a `CatalogueError`.
  package static func mapping<Failure: Error, Value>(
    _ name: String, _ error: (Failure) -> CatalogueError, _ body: () throws -> Value
  ) throws(CatalogueError) -> Value {
    do {
      return try body()
    } catch let known as CatalogueError {
      throw known
    } catch let failure as Failure {
      throw error(failure)
    } catch {
      throw .failed("\(name): \(error)")
    }
  }

  /// A column holds a value that was not written there.
  package static func damagedColumn(_ name: String) -> CatalogueError {
    .corrupt("the column \"\(name)\" is damaged")
  }
}
