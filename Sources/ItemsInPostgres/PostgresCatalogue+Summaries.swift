package import Catalogue

extension PostgresCatalogue {
  /// Strips as a list shows them: of their rows alone, which keep the sums.
  ///
  /// - Complexity: O(log strips + `limit`), whatever they hold.
  package func summaries(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [StripSummary] {
    guard mode == .mayBlock else { throw .wouldBlock }
    return try database.sessions.read { session in
      try StripRow.fetch(session, behind: place(of: after, session), limit: limit).map { row in
        StripSummary(
          name: row.name, settings: row.settings, revision: row.revision,
          totals: row.totals.totals(itemWidth: row.settings.itemWidth),
          kinds: row.totals.kinds(of: row.kinds))
      }
    }
  }

  /// The place of a strip in the order of making; one before all others without a name.
  func place(of name: String?, _ session: Session) throws -> Int64 {
    guard let name else { return -1 }
    let place = try session.run("SELECT place FROM strip WHERE name = $1", [.text(name)])
      .first { try $0.integer(0) }
    guard let place else { throw CatalogueError.noSuchStrip(name) }
    return place
  }
}
