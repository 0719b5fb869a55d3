import Items
import ItemsInSQLite

/// A catalogue's address, as `--database` gives it: the one place that knows which stores there
/// are.
enum Database {
  /// A catalogue to read: the built-in strips where there is no address.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func catalogue(at address: String?) throws(CatalogueError) -> any Catalogue {
    guard let address else { return try BuiltIn.catalogue(version: Version.current) }
    return try SQLiteCatalogue(path: try file(address))
  }

  /// A catalogue to read and to change: nothing can be changed where there is no address.
  ///
  /// - Parameter memory: bytes that the strips may take which are held.
  /// - Throws: `.unavailable` when it is not to be had.
  static func editable(
    at address: String?, memory: Int
  ) throws(CatalogueError) -> (catalogue: any Catalogue, editor: (any StripEditor)?) {
    guard let address else { return (try catalogue(at: nil), nil) }
    let catalogue = try SQLiteCatalogue(path: try file(address), memory: memory)
    return (catalogue, SQLiteEditor(catalogue, upkeep: .later))
  }

  /// What changes the strips of a database.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func editor(at address: String) throws(CatalogueError) -> any StripEditor {
    SQLiteEditor(try SQLiteCatalogue(path: try file(address), readers: 1))
  }

  /// The tokens of a database.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func tokens(at address: String) throws(CatalogueError) -> any TokenStore {
    try SQLiteTokens(path: try file(address))
  }

  /// Copies a database to a file that is not there yet.
  static func backup(_ address: String, to copy: String) throws(CatalogueError) {
    try Backup.copy(try file(address), to: copy)
  }

  /// What is wrong with a database, if anything is.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func examination(of address: String) throws(CatalogueError) -> Examination {
    try Examination(path: try file(address))
  }

  /// A catalogue to import into.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func importer(at address: String) throws(CatalogueError) -> any StripImporter {
    SQLiteImporter(path: try file(address))
  }

  private static func file(_ address: String) throws(CatalogueError) -> String {
    guard !address.hasPrefix("postgresql://"), !address.hasPrefix("postgres://") else {
      throw .unavailable("\(address): this carousel keeps its catalogues in SQLite files")
    }
    return address
  }
}
