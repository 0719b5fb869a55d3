import Catalogue

extension Session {
  /// Microseconds since 1970, by the database's clock: the one that all servers have in common.
  func clock() throws -> Int64 {
    try run("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
      .first { try $0.integer(0) } ?? WallClock.now
  }

  /// Has all servers told, once this is committed, that strips have changed.
  func notify(of strips: [String]) throws {
    try run(
      "SELECT pg_notify('carousel', name) FROM unnest($1::text[]) AS changed (name)",
      [.texts(strips)])
  }

  /// The same, that strips have come or gone.
  func notifyOfList() throws { try run("SELECT pg_notify('carousel', '')") }
}
