package import Windowing

extension PlacedStrip {
  /// A strip of a layout's chunks, which `next` gives in order, and nil behind the last.
  ///
  /// - Throws: what `next` throws; `.corrupt` for items that none of ours could be.
  /// - Complexity: O(*n*), shared by as many threads as there are; see `LayoutAssembly`.
  package init(
    kinds: [String], itemWidth: Length, _ next: () throws -> StoredChunk?
  ) throws {
    var assembly = LayoutAssembly(kinds: kinds, itemWidth: itemWidth)
    while let chunk = try next() { assembly.append(chunk) }
    self = try assembly.finish()
  }

  /// Strips that follow one another, as one.
  ///
  /// - Complexity: O(log *n*) for each, and O(chunks / 64).
  package init(kinds: [String], joining parts: [PlacedStrip]) {
    var strip = Strip(kinds: kinds)
    var positions = Positions()
    for part in parts {
      strip.insert(contentsOf: part.strip, at: strip.count)
      for page in part.positions.pages { positions.append(page) }
    }
    self.init(strip, at: positions)
  }

  /// Appends the items of a chunk that stand at `tail` or behind it.
  package mutating func append(
    _ chunk: StoredChunk, from tail: Int64, itemWidth: Length
  ) throws(CatalogueError) {
    let positions = chunk.place.positions
    let skipped = positions.prefix { $0 < tail }.count
    guard let place = Positions.Chunk(Array(positions[skipped...])) else { return }
    let items = try chunk.items(itemWidth: itemWidth, kinds: strip.kinds.count)
    append(Array(items[skipped...]), at: place, in: Array(chunk.groups[skipped...]))
  }
}
