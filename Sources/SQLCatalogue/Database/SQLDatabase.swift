package import Catalogue
package import Items
package import Views

/// A database that can hold a catalogue. It connects, runs statements, copies in bulk, locks, and reports changes.
///
/// The SQL uses `ON CONFLICT`, `RETURNING`, `NULLS FIRST` and comparisons of rows. Implementations turn every error of
/// their library into a `CatalogueError`. Calls come from many threads.
package protocol SQLDatabase: AnyObject, Sendable {
  /// The name of the database in errors: a path, or an address without its password.
  var name: String { get }

  /// How many strips can be changed at the same time.
  var writerCount: Int { get }

  /// Runs `body` in a transaction that sees the database at one moment.
  ///
  /// - Throws: what `body` throws; `.unavailable` if the database cannot be reached.
  func read<Value>(_ body: (any SQLSession) throws -> Value) throws(CatalogueError) -> Value

  /// Runs `body`, which is one statement, without a transaction of its own.
  func readStatement<Value>(
    _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value

  /// Runs `body` in a transaction, and commits it durably.
  ///
  /// - Throws: what `body` throws, and nothing is written; `.busy` if a lock is not free by `deadline`.
  func write<Value>(
    by deadline: WriteDeadline, _ body: (any SQLSession) throws -> Value
  ) throws(CatalogueError) -> Value

  /// Runs one step of maintenance in a short transaction. A crash can lose it: the next run does it again.
  func maintain<Value>(_ body: (any SQLSession) throws -> Value) throws(CatalogueError) -> Value

  /// Nil if the database cannot read windows without blocking.
  var windowReader: (any WindowReader)? { get }

  /// Calls `handler` on a thread of the database with changes that any process commits, until `close`. The first call
  /// passes `.resync`. If `handler` throws, the next call comes after a pause and passes `.resync` too.
  ///
  /// - Throws: `.unavailable` if the system starts no thread.
  func observe(_ handler: @escaping ChangeHandler) throws(CatalogueError)

  /// Why the database cannot be reached now; nil if it can.
  ///
  /// - Throws: an error that a later attempt cannot mend, such as a wrong password or a newer version.
  func unavailabilityReason() throws(CatalogueError) -> String?

  /// Why no change can be written, without paths and addresses; nil if nothing is known to prevent it.
  var readOnlyReason: String? { get }

  /// The faults that the database finds in its structure: at most `limit` sentences.
  func structureFaults(limit: Int, _ session: any SQLSession) throws -> [String]

  /// The size of the write-ahead log; nil if the database does not report it.
  var walBytes: Int? { get }

  /// The most bytes of the page caches of all connections of this process. Nil if the database has no such caches.
  var pageCacheLimit: Int? { get }

  /// Closes all connections. Later calls throw `.unavailable`.
  func close()
}

extension SQLDatabase {
  package var readOnlyReason: String? { nil }
  package var walBytes: Int? { nil }

  package var pageCacheLimit: Int? { nil }
}

/// A database that an import writes to. The import makes missing tables.
package protocol SQLImportDatabase: AnyObject, Sendable {
  var name: String { get }

  func importing<Value>(_ body: (any SQLSession) throws -> Value) throws(CatalogueError) -> Value

  /// The database before the import; nil if the import makes its tables.
  ///
  /// - Throws: what the import would throw before it writes.
  func existing() throws(CatalogueError) -> (any SQLDatabase)?

  /// Stops the running statement, from another thread.
  func interrupt()
}

/// A change that a process has committed.
package enum ChangeNotification: Hashable, Sendable {
  case strip(String)
  /// Strips were made, removed or reordered.
  case catalogueChanged
  case resync
  /// Reported every few seconds, also while the database changes.
  case periodic
}

package typealias ChangeHandler = @Sendable (ChangeNotification) throws -> Void

extension ChangeNotification {
  /// A transaction that changes more strips reports `.resync`.
  private static let longestList = 1000

  package init(text: String) {
    switch text {
    case "": self = .catalogueChanged
    case "*": self = .resync
    default: self = .strip(text)
    }
  }

  /// The texts that a database transmits, each once.
  package static func texts(of notifications: [ChangeNotification]) -> [String] {
    let texts = Set(notifications.compactMap(\.text))
    return texts.count > longestList || texts.contains("*") ? ["*"] : texts.sorted()
  }

  private var text: String? {
    switch self {
    case .strip(let name): name
    case .catalogueChanged: ""
    case .resync: "*"
    case .periodic: nil
    }
  }
}

package protocol WindowReader: Sendable {
  /// Passes the items at `sortKeys` to `body`, in order, as far as it finds them without waiting. Rows newer than the
  /// revision do not count.
  ///
  /// - Returns: how many items it passed; 0 if all connections are in use.
  func read(
    _ sortKeys: [Int64], of strip: Int64, at revision: Int64, _ body: (ItemBytes) -> Void
  ) -> Int
}

extension CatalogueError {
  /// Turns each error of a database's library into a `CatalogueError`.
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

  package static func damagedColumn(_ name: String) -> CatalogueError {
    .corrupt("the column \"\(name)\" is damaged")
  }
}
