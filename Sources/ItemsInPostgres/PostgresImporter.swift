package import Catalogue
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
    return try write { session in
      if request.mode == .replace, let former = try StripRow.lock(session, name: request.name) {
        var writer = try ReplacementWriter(
          session, StagingTable(session), of: former,
          settings: request.settings.applied(to: former.settings))
        try fill { item throws(CatalogueError) in try take { try writer.add(item) } }
        let replaced = try writer.finish()
        try session.notify(of: [request.name])
        return replaced
      }
      var strips = try ImportedStrips(session, request.mode)
      try strips.begin(request.name)
      try fill { item throws(CatalogueError) in try take { try strips.add(item, to: request.name) }
      }
      guard let made = try strips.finish(request.settings) else {
        preconditionFailure("A strip that is begun is finished.")
      }
      return made
    }
  }

  @discardableResult
  package func runMany(
    _ mode: StripImport.Mode, settings: SettingsChange, title: @escaping (String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts {
    try write { session in
      guard mode != .replace else { return try replace(session, settings, title, with: fill) }
      var strips = try ImportedStrips(session, mode)
      try fill { item, name throws(CatalogueError) in
        try StripName.check(name)
        try take { try strips.add(item, to: name) }
      }
      try strips.finish(settings, title: title)
      return strips.counts
    }
  }

  private func replace(
    _ session: Session, _ settings: SettingsChange, _ title: @escaping (String) -> String?,
    with fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws -> StripCounts {
    let coming = StagingTable(session)
    // Whoever makes a strip meanwhile that this is to make has it replaced.
    var making = try ImportedStrips(session, .replace)
    var strips = ReplacedStrips { name in
      try StripRow.lock(session, name: name).map { former in
        let wanted = try settings.applied(to: former.settings, of: name, called: title(name))
        return StripComparison(
          try StoredItemCursor(session, of: former), isAnother: wanted != former.settings
        ) { walk in
          try ReplacementWriter(
            session, coming, of: former, settings: wanted, keeping: walk.count, walk.seen,
            walk.seenKinds)
        }
      }
    } make: { item, name in
      try making.add(item, to: name)
    }
    try fill { item, name throws(CatalogueError) in
      try StripName.check(name)
      try take { try strips.add(item, to: name) }
    }
    try strips.finish()
    let made = making.counts.made
    if made > 0 { try making.finish(settings, title: title) }
    if !strips.changed.isEmpty { try session.notify(of: strips.changed) }
    return StripCounts(made: made, changed: strips.changed.count, same: strips.same)
  }

  package func interrupt() { isInterrupted.store(true, ordering: .sequentiallyConsistent) }

  /// Runs `add` for an item, until the import is interrupted.
  private func take(_ add: () throws -> Void) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    try catching(address) { try add() }
  }

  private func write<Result>(_ body: (Session) throws -> Result) throws(CatalogueError) -> Result {
    try Sessions(address, limit: 1).write { session in
      try Schema.make(session, address)
      if try Restoration.isDue(session) { try Restoration.goOn(session) }
      return try body(session)
    }
  }
}
