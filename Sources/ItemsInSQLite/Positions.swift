/// Where the items of one edition lie in the table: index to position and back.
///
///     var positions = Positions()
///     positions.append(count: 1000, first: 1 << 20, step: 1 << 20)
///     positions[3]  // 4 << 20
///
/// Kept by chunks of the layout, not by items: 24 bytes for a thousand of them.
///
/// - Complexity: O(log chunks) both ways.
struct Positions: Sendable {
  private struct Chunk {
    let index: Int
    let first: Int64
    let step: Int64
  }

  private var chunks: [Chunk] = []
  private(set) var count = 0

  mutating func append(count: Int, first: Int64, step: Int64) {
    chunks.append(Chunk(index: self.count, first: first, step: step))
    self.count += count
  }

  /// The position of the item at `index`.
  subscript(index: Int) -> Int64 {
    let chunk = chunks[last { $0.index <= index }]
    return chunk.first + Int64(index - chunk.index) * chunk.step
  }

  /// The index of the item at `position`; nil when no item of this edition is there.
  func index(of position: Int64) -> Int? {
    guard let first = chunks.first, first.first <= position else { return nil }
    let place = last { $0.first <= position }
    let chunk = chunks[place]
    let (steps, rest) = (position - chunk.first).quotientAndRemainder(dividingBy: chunk.step)
    let index = chunk.index + Int(steps)
    let end = place + 1 < chunks.count ? chunks[place + 1].index : count
    return rest == 0 && index < end ? index : nil
  }

  /// The last chunk for which `holds`; it does for the first, and stops doing so at most once.
  private func last(where holds: (Chunk) -> Bool) -> Int {
    var low = 0
    var high = chunks.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if holds(chunks[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
