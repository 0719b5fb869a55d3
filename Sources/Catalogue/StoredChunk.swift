package import Windowing

/// What a row of a layout says.
package struct StoredChunk: Sendable {
  let frame: ChunkFrame
  /// The packed items, as `LayoutRow` has them: who reads on leaves it to others to unpack them.
  let bytes: [UInt8]

  /// - Throws: `.corrupt` where the row is none of ours.
  package init(_ row: LayoutRow) throws(CatalogueError) {
    guard row.sizes.count == 8 * row.count else { throw ChunkFrame.damaged }
    bytes = row.sizes
    frame = try ChunkFrame(
      position: row.position, count: row.count, step: row.step, groups: row.groups,
      positions: row.positions)
  }

  package var place: Positions.Chunk { frame.place }

  /// The group of each item.
  package var groups: [String?] {
    frame.runs.flatMap { repeatElement($0.title, count: $0.count) }
  }

  /// The size and kind of each item.
  package var sizes: [StoredSize] {
    bytes.withUnsafeBytes { bytes in (0..<place.count).map { StoredSize(at: $0, of: bytes) } }
  }

  /// The items as a strip has them.
  package func items(itemWidth: Length, kinds: Int) throws(CatalogueError) -> [StripItem] {
    let items = sizes.map { $0.item(itemWidth: itemWidth, kinds: kinds) }
    let sound = items.compactMap(\.self)
    guard sound.count == items.count else { throw ChunkFrame.damaged }
    return sound
  }
}
