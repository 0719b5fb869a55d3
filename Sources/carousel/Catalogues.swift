internal import Items
internal import ItemsInSQLite

/// Which catalogue a command's `--database` means.
enum Catalogues {
  /// The catalogue in a database, or without one the built-in strips.
  ///
  /// - Throws: a ``Failure`` that names what is not to be had.
  static func open(_ database: String?) throws -> any Catalogue {
    do throws(CatalogueError) {
      guard let database else { return try BuiltIn.catalogue(version: Version.current) }
      return try SQLiteCatalogue(path: database)
    } catch {
      throw Failure(error)
    }
  }
}
