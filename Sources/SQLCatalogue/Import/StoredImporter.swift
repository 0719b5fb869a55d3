package import Catalogue
import Synchronization

/// Takes whole strips into a database, each import in one transaction.
package final class StoredImporter: StripImporter {
  private let database: any SQLImportDatabase
  private let isInterrupted = Atomic(false)

  package init(_ database: any SQLImportDatabase) { self.database = database }

  package func interrupt() {
    isInterrupted.store(true, ordering: .sequentiallyConsistent)
    database.interrupt()
  }

  @discardableResult
  package func run(
    _ request: StripImport,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> (counts: StripCounts, last: ImportedStrip?) {
    if let name = request.name { try StripName.check(name) }
    return try database.importing { session in
      var strips = ImportTransaction(session, request)
      if let name = request.name { try strips.begin(name) }
      try fill { item, name throws(CatalogueError) in
        if request.name == nil { try StripName.check(name) }
        try unlessInterrupted { try strips.append(item, to: name) }
      }
      return try strips.finish()
    }
  }

  /// Runs `add` for an item, unless the import is interrupted.
  private func unlessInterrupted(_ add: () throws -> Void) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    do {
      try add()
    } catch {
      // Sessions throw no other error.
      throw error as? CatalogueError ?? .failed("\(database.name): \(error)")
    }
  }
}

/// The strips of a database before an import: what a dry run looks at.
package final class ExistingStrips: Sendable {
  /// Nil if the import makes the database.
  private let database: (any SQLDatabase)?

  package init(_ database: (any SQLDatabase)?) { self.database = database }

  deinit { database?.close() }

  /// The number of the strip with this name; nil if there is none.
  package func number(of name: String) throws(CatalogueError) -> Int64? {
    try first("SELECT number FROM strip WHERE name = $1", [.text(name)])
  }

  /// Whether the strip with this number has an item with this id.
  package func has(_ id: String, in strip: Int64) throws(CatalogueError) -> Bool {
    guard !id.utf8.contains(0) else { return false }
    return try first(
      "SELECT position FROM item WHERE strip = $1 AND id = $2", [.integer(strip), .text(id)]) != nil
  }

  /// The kinds of the strip with this number, by number, also kinds without items.
  package func kinds(of strip: Int64) throws(CatalogueError) -> [String] {
    try database?.readStatement { session in
      try session.first("SELECT kinds FROM strip WHERE number = $1", [.integer(strip)]) {
        try $0.names(0)
      }
    } ?? []
  }

  /// Whether the strip with this number has an item of a kind.
  ///
  /// - Complexity: O(*n*) if it has none.
  package func has(kind: Int, in strip: Int64) throws(CatalogueError) -> Bool {
    try first(
      "SELECT position FROM item WHERE strip = $1 AND kind = $2 LIMIT 1",
      [.integer(strip), .integer(kind)]) != nil
  }

  private func first(_ sql: String, _ values: [SQLValue]) throws(CatalogueError) -> Int64? {
    try database?.readStatement { session in
      try session.first(sql, values) { try $0.integer(0) }
    } ?? nil
  }
}
