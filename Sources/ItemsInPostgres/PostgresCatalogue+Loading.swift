package import Items

extension PostgresCatalogue {
  /// Strips of fewer items are read when one is asked for: that takes some tenths of a second.
  private static let longCount = 50_000
  /// So many items, some 200 MB, are read beforehand; other strips wait until they are asked for.
  private static let roomCount = 20_000_000

  /// Reads the long strips, the first made first, as many as there is room for.
  package func load(_ progress: LoadProgress) throws(CatalogueError) {
    let long = try database.sessions.read { session in
      try session.run(
        """
        SELECT name, total.count FROM strip, LATERAL (
          SELECT sum(count)::bigint AS count FROM layout WHERE layout.strip = strip.number) AS total
        WHERE total.count >= $1 ORDER BY place
        """, [.integer(Int64(Self.longCount))]
      ).map { (name: try $0.text(0), count: Int(try $0.integer(1))) }
    }
    var room = Self.roomCount
    let loaded = long.prefix { strip in
      room -= strip.count
      return room >= 0
    }
    for strip in loaded { progress.expect(strip.count) }
    for strip in loaded {
      do throws(CatalogueError) {
        _ = try edition(of: strip.name, at: nil, patience: .waits)
      } catch {
        // It was removed meanwhile.
        guard case .noSuchStrip = error else { throw error }
      }
      progress.add(strip.count)
    }
  }
}
