import ArgumentParser
import Catalogue
import Foundation
import PostgresDatabase
import SQLCatalogue
import SQLiteDatabase

/// A database that holds a catalogue. No other file knows which kinds of databases can hold one.
///
/// `ImportRun` imports `SQLiteDatabase` too, for all kinds: `--sort` sorts in a temporary SQLite file.
///
/// Another kind needs a type that conforms, and one line in `Stores.all`; in `Stores.standby` too if servers
/// can read from its copies. All methods throw `.unavailable` if the database does not exist or rejects the
/// connection.
protocol Store: Sendable {
  /// The store at this address; nil if the address belongs to another kind of store.
  ///
  /// - Throws: `.unavailable` if the address is malformed.
  static func at(_ address: String) throws(CatalogueError) -> (any Store)?

  /// The address for messages, without its password.
  var name: String { get }
  /// A folder for the temporary file that `import --sort` needs.
  var scratchFolder: String { get }

  func database(for use: DatabaseUse) throws(CatalogueError) -> any SQLDatabase
  func importDatabase() throws(CatalogueError) -> any SQLImportDatabase
  /// Copies the database to a new file.
  func backup(to file: String) throws(CatalogueError)
}

/// What a database is opened for.
enum DatabaseUse {
  /// One command: few connections, and an error if the database cannot be reached.
  case command
  /// A server: many connections, and patience until the database can be reached.
  /// - Parameter log: gets a sentence when the database is moved or comes back.
  case server(log: @Sendable (String) -> Void)
  /// The creation of tokens, which can come before the first import.
  case newTokens
}

extension Store {
  func catalogue() throws(CatalogueError) -> StoredCatalogue {
    try StoredCatalogue(database(for: .command), follows: false)
  }

  func editor() throws(CatalogueError) -> StoredStripEditor {
    StoredStripEditor(try catalogue(), isServer: false)
  }

  /// A catalogue and its editor for a server.
  ///
  /// - Parameters:
  ///   - standby: a copy of this store that is read instead; changes are still written to this one.
  ///   - memory: the size limit of the cache of strips, in bytes.
  ///   - listDays: the days after which an unused list is deleted.
  ///   - log: see `DatabaseUse.server`.
  func served(
    readingFrom standby: (any Store)?, memory: Int, listDays: Int,
    log: @escaping @Sendable (String) -> Void
  ) throws(CatalogueError) -> (StoredCatalogue, StoredStripEditor) {
    let written = try StoredCatalogue(database(for: .server(log: log)), memory: memory)
    let editor = StoredStripEditor(written, isServer: true, listDays: listDays)
    guard let standby else { return (written, editor) }
    // No reader asks `written` for a strip, so that it holds none.
    return (try StoredCatalogue(standby.database(for: .server(log: log)), memory: memory), editor)
  }
}

enum Stores {
  /// The first kind that recognizes an address gets it. SQLite recognizes every address as a path.
  private static let all: [any Store.Type] = [PostgresStore.self, SQLiteStore.self]

  static let addressHelp = "the path of a SQLite file, or postgresql://USER@HOST/NAME"

  /// The copy of a store that a server reads.
  ///
  /// - Throws: `.unavailable` if the address is malformed, or belongs to a SQLite file.
  static func standby(at address: String) throws(CatalogueError) -> any Store {
    guard let store = try PostgresStore.at(address) else {
      throw .unavailable("--read-database: \(address) is not an address of PostgreSQL")
    }
    return store
  }

  static func store(at address: String) throws(CatalogueError) -> any Store {
    for kind in all {
      if let store = try kind.at(address) { return store }
    }
    throw .unavailable("\(address) is not an address of a database: give \(addressHelp)")
  }
}

/// `--database`, as all commands have it that require a database.
struct DatabaseOption: ParsableArguments {
  @Option(
    name: .customLong("database"), help: ArgumentHelp("The database: \(Stores.addressHelp)."))
  var address: String

  /// - Throws: `.unavailable` if the address is malformed.
  func store() throws(CatalogueError) -> any Store { try Stores.store(at: address) }
}

private struct SQLiteStore: Store {
  let path: String
  var name: String { path }
  var scratchFolder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  static func at(_ address: String) throws(CatalogueError) -> (any Store)? {
    let path = filePath(address)
    var status = stat()
    // SQLite blocks when it opens a pipe, until another process opens the other end.
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw .unavailable(
        "\(path) is a device, a pipe or a socket, not a database: give the path of a SQLite file")
    }
    return SQLiteStore(path: path)
  }

  /// A path that SQLite does not take for a URI (`file:...`) or a special name (`:memory:`).
  private static func filePath(_ name: String) -> String {
    name.hasPrefix("file:") || name.hasPrefix(":") ? "./" + name : name
  }

  func database(for use: DatabaseUse) throws(CatalogueError) -> any SQLDatabase {
    switch use {
    case .command, .newTokens: try SQLiteFile(path: path, readers: 1)
    case .server(let log): try SQLiteFile(path: path, keepsUpInBackground: true, log: log)
    }
  }

  func importDatabase() -> any SQLImportDatabase { SQLiteImportFile(path: path) }

  func backup(to file: String) throws(CatalogueError) {
    try Backup.copy(path, to: Self.filePath(file))
  }
}

private struct PostgresStore: Store {
  let address: ConnectionString
  var name: String { address.description }
  var scratchFolder: String { FileManager.default.temporaryDirectory.path }

  static func at(_ address: String) throws(CatalogueError) -> (any Store)? {
    guard ConnectionString.matches(address) else { return nil }
    return PostgresStore(address: try ConnectionString(address))
  }

  func database(for use: DatabaseUse) throws(CatalogueError) -> any SQLDatabase {
    switch use {
    case .command: return try PostgresServer(address, connections: 1, writers: 1)
    case .server: return try PostgresServer(address, waits: true)
    case .newTokens:
      // The first import has not made the tables yet.
      try importDatabase().importing { _ in }
      return try PostgresServer(address, connections: 1, writers: 1)
    }
  }

  func importDatabase() throws(CatalogueError) -> any SQLImportDatabase {
    try PostgresServer(address, waits: true)
  }

  func backup(to file: String) throws(CatalogueError) {
    throw .unavailable(
      "carousel backup cannot copy \(address). PostgreSQL's own tool copies it while it is served: "
        + "pg_dump --schema=carousel --format=custom --file=\(file) ADDRESS")
  }
}
