package import Items
internal import Synchronization

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
    return try Sessions(address, limit: 1).write { session in
      try Schema.make(session, address)
      var (former, row) = try strip(for: request, session)
      var writer = try StripWriter(session, strip: row, revision: row.revision)
      try fill { item throws(CatalogueError) in
        guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
        try catching(address) { try writer.add(item) }
      }
      try writer.finish()
      row.settings = try request.settings.applied(to: row.settings)
      row.folded = row.revision
      try row.update(session)
      if let former {
        var succession = Succession(session, from: former, to: row.revision)
        try succession.keep(LayoutStep(LayoutChanges([]), tail: writer.tail))
        try succession.finish()
      }
      let count = try session.run(
        "SELECT coalesce(sum(count), 0)::bigint FROM layout WHERE strip = $1",
        [.integer(row.number)]
      ).first { try $0.integer(0) }
      return ImportedStrip(count: Int(count ?? 0), revision: row.revision)
    }
  }

  package func interrupt() { isInterrupted.store(true, ordering: .sequentiallyConsistent) }

  /// The row that the items go to, with the revision that it will have; and as it was, where it goes
  /// on.
  private func strip(
    for request: StripImport, _ session: Session
  ) throws -> (former: StripRow?, made: StripRow) {
    while true {
      guard var row = try StripRow.lock(session, name: request.name) else {
        if let made = try StripRow.make(session, name: request.name) { return (nil, made) }
        continue
      }
      switch request.mode {
      case .make:
        throw CatalogueError.stripExists(request.name)
      case .append:
        try Folding.fold(&row, session)
        let former = row
        row.revision += 1
        return (former, row)
      case .replace:
        return (nil, try row.renewed(session))
      }
    }
  }
}
