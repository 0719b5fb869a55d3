internal import Items

/// Which catalogue a command's `--database` means.
enum Catalogues {
  /// The catalogue in a database, or without one the built-in strips.
  ///
  /// - Throws: a ``Failure`` that names what is not to be had.
  static func open(_ database: String?) throws -> any Catalogue {
    do throws(CatalogueError) {
      if let database {
        throw .unavailable("\(database): no kind of database is known")
      }
      return try BuiltIn.catalogue(version: Version.current)
    } catch {
      throw Failure(error)
    }
  }
}
