import ArgumentParser
import Foundation
import Items
import PostgresDatabase
import SQLCatalogue
import SQLiteDatabase

/// The place of a database, as `--database` names it. Only this file knows the kinds of databases and how to open them.
///
/// All functions throw `.unavailable` if the database does not exist or rejects the connection.
enum DatabaseLocation: Sendable {
  case sqlite(path: String)
  case postgres(ConnectionString)

  static let addressHelp = "the path of a SQLite file, or postgresql://USER@HOST/NAME"

  enum Use {
    /// Few connections, and an error if the database cannot be reached.
    case command
    /// Many connections, and patience until the database can be reached.
    /// - Parameters:
    ///   - pageCache: in bytes, for each connection to SQLite.
    ///   - log: gets a sentence when the database is moved or comes back.
    ///   - onReplacement: runs once another file has the database's path.
    case server(
      pageCache: Int = 64 << 20, log: @Sendable (String) -> Void,
      onReplacement: @Sendable () -> Void)
    /// The creation of tokens, which can come before the first import.
    case newTokens
  }

  init(_ address: String) throws(CatalogueError) {
    guard !ConnectionString.matches(address) else {
      self = .postgres(try ConnectionString(address))
      return
    }
    let path = Self.filePath(address)
    var status = stat()
    // SQLite blocks when it opens a pipe, until another process opens the other end.
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw .unavailable(
        "\(path) is a device, a pipe or a socket, not a database: give the path of a SQLite file")
    }
    self = .sqlite(path: path)
  }

  /// A path that SQLite does not take for a URI (`file:...`) or a special name (`:memory:`).
  private static func filePath(_ name: String) -> String {
    name.hasPrefix("file:") || name.hasPrefix(":") ? "./" + name : name
  }

  /// The address for messages, without its password.
  var name: String {
    switch self {
    case .sqlite(let path): path
    case .postgres(let address): address.description
    }
  }

  /// A folder for the temporary file that `import --sort` needs.
  var scratchFolder: String {
    switch self {
    case .sqlite(let path): URL(fileURLWithPath: path).deletingLastPathComponent().path
    case .postgres: FileManager.default.temporaryDirectory.path
    }
  }

  func database(for use: Use) throws(CatalogueError) -> any SQLDatabase {
    switch (self, use) {
    case (.sqlite(let path), .command), (.sqlite(let path), .newTokens):
      return try SQLiteFile(path: path, readers: 1)
    case (.sqlite(let path), .server(let pageCache, let log, let onReplacement)):
      return try SQLiteFile(
        path: path, pageCache: pageCache, keepsUpInBackground: true, log: log,
        onReplacement: onReplacement)
    case (.postgres(let address), .command):
      return try PostgresServer(address, connections: 1, writers: 1)
    case (.postgres(let address), .server):
      return try PostgresServer(address, waits: true)
    case (.postgres, .newTokens):
      // The first import has not made the tables yet.
      try importDatabase().importing { _ in }
      return try database(for: .command)
    }
  }

  func importDatabase() throws(CatalogueError) -> any SQLImportDatabase {
    switch self {
    case .sqlite(let path): SQLiteImportFile(path: path)
    case .postgres(let address): try PostgresServer(address, waits: true)
    }
  }

  func catalogue() throws(CatalogueError) -> SQLStripCatalogue {
    try SQLStripCatalogue(database(for: .command), observesChanges: false)
  }

  func editor() throws(CatalogueError) -> SQLStripEditor {
    SQLStripEditor(try catalogue(), isServer: false)
  }

  func backup(to file: String) throws(CatalogueError) {
    switch self {
    case .sqlite(let path): try Backup.copy(path, to: Self.filePath(file))
    case .postgres(let address):
      throw .unavailable(
        "carousel backup cannot copy \(address). PostgreSQL's own tool copies it while it is "
          + "served: pg_dump --schema=carousel --format=custom --file=\(file) ADDRESS")
    }
  }
}

struct DatabaseOption: ParsableArguments {
  @Option(
    name: .customLong("database"),
    help: ArgumentHelp("The database: \(DatabaseLocation.addressHelp)."))
  var address: String

  func location() throws(CatalogueError) -> DatabaseLocation { try DatabaseLocation(address) }
}
