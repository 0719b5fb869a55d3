package import Items
import Synchronization

/// Takes strips into a PostgreSQL database; makes the catalogue's tables where there are none.
package final class PostgresImporter: StripImporter {
  private let address: Address
  private let isInterrupted = Atomic(false)

  package init(_ address: Address) { self.address = address }

  @discardableResult
  package func run(
    _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    try StripName.check(request.name)
    return try write(request.mode) { strips in
      try strips.begin(request.name)
      try fill { item throws(CatalogueError) in
        try add(item, to: request.name, of: &strips)
      }
      return try strips.finish(request.name, request.settings)
    }
  }

  @discardableResult
  package func runMany(
    _ mode: StripImport.Mode, settings: SettingsChange,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> Int {
    try write(mode) { strips in
      try fill { item, name throws(CatalogueError) in
        try StripName.check(name)
        try add(item, to: name, of: &strips)
      }
      for name in strips.names { _ = try strips.finish(name, settings) }
      return strips.names.count
    }
  }

  package func interrupt() { isInterrupted.store(true, ordering: .sequentiallyConsistent) }

  private func add(
    _ item: Item, to name: String, of strips: inout ImportedStrips
  ) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    try catching(address) { try strips.add(item, to: name) }
  }

  private func write<Result>(
    _ mode: StripImport.Mode, _ body: (inout ImportedStrips) throws -> Result
  ) throws(CatalogueError) -> Result {
    try Sessions(address, limit: 1).write { session in
      try Schema.make(session, address)
      var strips = ImportedStrips(session, mode)
      return try body(&strips)
    }
  }
}
