package import Windowing

extension PlacedStrip {
  /// A strip of a layout's chunks, which `next` gives in order, and nil behind the last.
  ///
  /// - Throws: what `next` throws; `.corrupt` for items that none of ours could be.
  /// - Complexity: O(*n*); a chunk at a time is held beside the strip.
  package init(
    kinds: [String], itemWidth: Length, _ next: @escaping () throws -> StoredChunk?
  ) throws {
    let chunks = ChunkedItems(itemWidth: itemWidth, kinds: kinds.count, next)
    var strip = Strip(kinds: kinds, items: IteratorSequence(chunks))
    if let damage = chunks.damage { throw damage }
    for run in chunks.runs { strip.setGroup(run.title, for: run.range) }
    self.init(strip, at: chunks.positions)
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

/// The items of a layout, a chunk at a time, and what else its rows say.
private final class ChunkedItems: IteratorProtocol {
  private let itemWidth: Length
  private let kinds: Int
  private let nextChunk: () throws -> StoredChunk?
  private var items: [StripItem] = []
  private var place = 0
  private(set) var positions = Positions()
  private(set) var runs: [(title: String, range: Range<Int>)] = []
  private(set) var damage: (any Error)?

  init(itemWidth: Length, kinds: Int, _ nextChunk: @escaping () throws -> StoredChunk?) {
    self.itemWidth = itemWidth
    self.kinds = kinds
    self.nextChunk = nextChunk
  }

  func next() -> StripItem? {
    if place == items.count {
      do {
        guard let chunk = try nextChunk() else { return nil }
        items = try chunk.items(itemWidth: itemWidth, kinds: kinds)
        take(chunk)
      } catch {
        damage = error
        return nil
      }
      place = 0
    }
    defer { place += 1 }
    return items[place]
  }

  private func take(_ chunk: StoredChunk) {
    var start = positions.count
    for run in chunk.runs {
      if let title = run.title { runs.append((title, start..<start + run.count)) }
      start += run.count
    }
    positions.append(chunk.place)
  }
}
