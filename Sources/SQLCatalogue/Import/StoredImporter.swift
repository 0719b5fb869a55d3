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
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    try StripName.check(request.name)
    return try database.importing { session in
      var strips = ImportTransaction(session, request.mode, request.settings) { _ in nil }
      try strips.begin(request.name)
      try fill { item throws(CatalogueError) in
        try unlessInterrupted { try strips.append(item, to: request.name) }
      }
      guard let made = try strips.finish().last else {
        preconditionFailure("A strip that was begun is finished.")
      }
      return made
    }
  }

  @discardableResult
  package func runMany(
    _ mode: StripImport.Mode, settings: SettingsChange, title: @escaping (String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts {
    try database.importing { session in
      var strips = ImportTransaction(session, mode, settings, title)
      try fill { item, name throws(CatalogueError) in
        try StripName.check(name)
        try unlessInterrupted { try strips.append(item, to: name) }
      }
      return try strips.finish().counts
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
package final class ExistingStoredStrips: ExistingStrips {
  /// Nil if the import makes the database.
  private let database: (any SQLDatabase)?

  package init(_ database: (any SQLDatabase)?) { self.database = database }

  deinit { database?.close() }

  package func number(of name: String) throws(CatalogueError) -> Int64? {
    try first("SELECT number FROM strip WHERE name = $1", [.text(name)])
  }

  package func has(_ id: String, in strip: Int64) throws(CatalogueError) -> Bool {
    guard !id.utf8.contains(0) else { return false }
    return try first(
      "SELECT position FROM item WHERE strip = $1 AND id = $2", [.integer(strip), .text(id)]) != nil
  }

  package func kinds(of strip: Int64) throws(CatalogueError) -> [String] {
    try database?.readStatement { session in
      try session.first("SELECT kinds FROM strip WHERE number = $1", [.integer(strip)]) {
        try $0.names(0)
      }
    } ?? []
  }

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
