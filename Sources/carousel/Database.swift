import ArgumentParser
import Catalogue
import Foundation
import ItemsInPostgres
import ItemsInSQLite

/// A catalogue's address, as `--database` gives it: the one place that knows which stores there
/// are.
enum Database {
  /// What the commands say of the option.
  static let help: ArgumentHelp = "The database: the path of a SQLite file, or postgresql://..."

  /// The path of the file of this name: SQLite would take `file:...` and `:memory:` for something else.
  private static func path(_ name: String) -> String {
    name.hasPrefix("file:") || name.hasPrefix(":") ? "./" + name : name
  }

  private enum Store {
    case file(String)
    case postgres(Address)

    init(_ address: String) throws(CatalogueError) {
      guard !Address.isOne(address) else {
        self = .postgres(try Address(address))
        return
      }
      let path = Database.path(address)
      var status = stat()
      // SQLite would wait for somebody at a pipe's other end.
      if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
        throw .unavailable("\(path) is a device, a pipe or a socket, not a database")
      }
      self = .file(path)
    }
  }

  /// A catalogue to read: the built-in strips where there is no address.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func catalogue(at address: String?) throws(CatalogueError) -> any StripCatalogue {
    guard let address else { return try BuiltIn.catalogue(version: Version.current) }
    switch try Store(address) {
    case .file(let path): return try SQLiteCatalogue(path: path)
    case .postgres(let address):
      return try PostgresCatalogue(address, connections: 1, follows: false)
    }
  }

  /// A catalogue to read and to change: nothing can be changed where there is no address.
  ///
  /// - Parameter memory: bytes that the strips may take which are held.
  /// - Throws: `.unavailable` when it is not to be had.
  static func editable(
    at address: String?, memory: Int
  ) throws(CatalogueError) -> (
    catalogue: any StripCatalogue, editor: (any StripEditor & TokenVerifier)?
  ) {
    guard let address else { return (try catalogue(at: nil), nil) }
    switch try Store(address) {
    case .file(let path):
      let catalogue = try SQLiteCatalogue(path: path, memory: memory)
      return (catalogue, SQLiteEditor(catalogue, upkeep: .later))
    case .postgres(let address):
      let catalogue = try PostgresCatalogue(address, memory: memory)
      return (catalogue, PostgresEditor(catalogue))
    }
  }

  /// What changes the strips of a database.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func editor(at address: String) throws(CatalogueError) -> any StripEditor {
    switch try Store(address) {
    case .file(let path): SQLiteEditor(try SQLiteCatalogue(path: path, readers: 1))
    case .postgres(let address):
      PostgresEditor(try PostgresCatalogue(address, connections: 1, follows: false))
    }
  }

  /// The tokens of a database.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func tokens(at address: String) throws(CatalogueError) -> any TokenStore {
    switch try Store(address) {
    case .file(let path): try SQLiteTokens(path: path)
    case .postgres(let address): try PostgresTokens(address)
    }
  }

  /// Copies a database to a file that is not there yet.
  static func backup(_ address: String, to copy: String) throws(CatalogueError) {
    switch try Store(address) {
    case .file(let path): try Backup.copy(path, to: self.path(copy))
    case .postgres(let address):
      throw .unavailable(
        "\(address) is copied by PostgreSQL's own tool, while it is served: "
          + "pg_dump --schema=carousel --format=custom --file=\(copy) ADDRESS")
    }
  }

  /// What is wrong with a database, if anything is.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func examination(
    of address: String
  ) throws(CatalogueError) -> (faults: [String], count: Int) {
    switch try Store(address) {
    case .file(let path):
      let examination = try ItemsInSQLite.IntegrityCheck(path: path)
      return (examination.faults, examination.count)
    case .postgres(let address):
      let examination = try ItemsInPostgres.IntegrityCheck(address)
      return (examination.faults, examination.count)
    }
  }

  /// A catalogue to import into.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func importer(at address: String) throws(CatalogueError) -> any StripImporter {
    switch try Store(address) {
    case .file(let path): SQLiteImporter(path: path)
    case .postgres(let address): PostgresImporter(address)
    }
  }

  /// The strips that an import would find, to rehearse one.
  ///
  /// - Throws: `.unavailable` where an import could not have the database; one that would be made is
  ///   none yet.
  static func formerStrips(at address: String) throws(CatalogueError) -> any ExistingStrips {
    switch try Store(address) {
    case .file(let path): try SQLiteExistingStrips(path: path)
    case .postgres(let address): try PostgresExistingStrips(address)
    }
  }

  /// A folder with room to sort what is imported.
  static func scratch(for address: String) -> String {
    Address.isOne(address)
      ? FileManager.default.temporaryDirectory.path
      : URL(fileURLWithPath: address).deletingLastPathComponent().path
  }

  /// What a person is told of a database: its address, without a password.
  static func name(of address: String) throws(CatalogueError) -> String {
    switch try Store(address) {
    case .file(let path): path
    case .postgres(let address): address.description
    }
  }
}
