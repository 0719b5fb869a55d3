import Items
import ItemsInSQLite

/// A catalogue's address, as `--database` gives it: the one place that knows which stores there
/// are.
enum Database {
  /// A catalogue to read.
  ///
  /// - Throws: `.unavailable` when it is not to be had.
  static func catalogue(at address: String) throws(CatalogueError) -> any Catalogue {
    try SQLiteCatalogue(path: try file(address))
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
