package import Catalogue
import Foundation

extension PostgresCatalogue {
  /// Strips of fewer items are read when one is asked for: that takes some tenths of a second.
  private static let longCount = 50_000

  /// In seconds.
  private static let pause = 0.2

  /// Reads the long strips, the first made first, as many as there is room for. Waits for a database
  /// that is away, however long that takes.
  package func load(_ progress: LoadProgress) throws(CatalogueError) {
    while let absence = try database.sessions.absence() {
      progress.obstacle = absence
      Thread.sleep(forTimeInterval: Self.pause)
    }
    progress.obstacle = nil
    let long = try database.sessions.read { session in
      try session.run(
        "SELECT name, count FROM strip WHERE count >= $1 ORDER BY place",
        [.integer(Int64(Self.longCount))]
      ).map { (name: try $0.text(0), count: Int(try $0.integer(1))) }
    }
    var room = strips.limit / 2
    let loaded = long.prefix { strip in
      room -= MemoryCost.bytes(ofItems: strip.count)
      return room >= 0
    }
    for strip in loaded { progress.expect(strip.count) }
    for (name, _) in loaded {
      let strip = held(name)
      do throws(CatalogueError) {
        try strip.refresh(progress)
      } catch {
        // It was removed meanwhile.
        guard case .noSuchStrip = error else { throw error }
      }
      strips.weigh(strip, name)
    }
  }
}
