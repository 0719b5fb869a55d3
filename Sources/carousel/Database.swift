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
