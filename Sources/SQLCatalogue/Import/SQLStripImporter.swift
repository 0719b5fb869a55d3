package import Catalogue
package import Items
import Synchronization
import Views

/// Takes whole strips into a database, each import in one transaction.
package final class SQLStripImporter: StripImporter {
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
        try addUnlessInterrupted { try strips.append(item, to: name) }
      }
      return try strips.finish()
    }
  }

  private func addUnlessInterrupted(_ add: () throws -> Void) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    do {
      try add()
    } catch {
      // Sessions throw no other error.
      throw error as? CatalogueError ?? .failed("\(database.name): \(error)")
    }
  }
}

/// The strips of a database before an import, for a dry run.
package final class ExistingStrips: Sendable {
  /// Nil if the import makes the database.
  private let database: (any SQLDatabase)?

  package init(_ database: (any SQLDatabase)?) { self.database = database }

  deinit { database?.close() }

  /// The number of a strip and its kinds, also those without items.
  package func find(
    _ name: String
  ) throws(CatalogueError) -> (number: Int64, kinds: [String])? {
    try first("SELECT number, kinds FROM strip WHERE name = $1", [.text(name)]) {
      (try $0.integer(0), try $0.names(1))
    }
  }

  package func has(_ id: String, in strip: Int64) throws(CatalogueError) -> Bool {
    guard !id.utf8.contains(0) else { return false }
    return try first(
      "SELECT 1 FROM item WHERE strip = $1 AND id = $2", [.integer(strip), .text(id)]
    ) { _ in true } ?? false
  }

  /// - Complexity: O(*n*) if the strip has no item of this kind.
  package func has(kind: Int, in strip: Int64) throws(CatalogueError) -> Bool {
    try first(
      "SELECT 1 FROM item WHERE strip = $1 AND kind = $2 LIMIT 1",
      [.integer(strip), .integer(kind)]
    ) { _ in true } ?? false
  }

  private func first<Value>(
    _ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Value
  ) throws(CatalogueError) -> Value? {
    try database?.readStatement { try $0.first(sql, values, read) } ?? nil
  }
}
