/// Where the items of one edition lie in the table: index to position and back.
///
///     var positions = Positions()
///     positions.append(Positions.Chunk(count: 1000, first: 1 << 20, spacing: .even(1 << 20)))
///     positions[3]  // 4 << 20
///
/// Kept by chunks of the layout, not by items: some 40 bytes for a thousand of them, and 8 for each
/// item of a chunk that was edited.
///
/// - Complexity: O(log chunks) both ways.
struct Positions: Sendable {
  /// Neighbouring items as a row of the layout has them.
  struct Chunk: Sendable {
    let count: Int
    let first: Int64
    let spacing: Spacing
  }

  enum Spacing: Sendable {
    /// All as far apart.
    case even(Int64)
    /// Each where it is.
    case each([Int64])
  }

  private struct Placed {
    var index: Int
    let chunk: Chunk
  }

  private var chunks: [Placed] = []
  private(set) var count = 0

  mutating func append(_ chunk: Chunk) {
    chunks.append(Placed(index: count, chunk: chunk))
    count += chunk.count
  }

  /// Bytes that this takes, about.
  var weight: Int {
    chunks.reduce(0) { sum, placed in
      if case .each(let positions) = placed.chunk.spacing {
        sum + 80 + 8 * positions.count
      } else {
        sum + 48
      }
    }
  }

  /// The position of the item at `index`.
  subscript(index: Int) -> Int64 {
    let placed = chunks[last { $0.index <= index }]
    return placed.chunk[index - placed.index]
  }

  /// The positions of the items of `range`, in order. O(log chunks + items).
  subscript(range: Range<Int>) -> [Int64] {
    guard !range.isEmpty else { return [] }
    var positions: [Int64] = []
    positions.reserveCapacity(range.count)
    var place = last { $0.index <= range.lowerBound }
    while positions.count < range.count {
      let placed = chunks[place]
      let start = range.lowerBound + positions.count - placed.index
      let end = min(placed.chunk.count, range.upperBound - placed.index)
      for offset in start..<end { positions.append(placed.chunk[offset]) }
      place += 1
    }
    return positions
  }

  /// The index of the item at `position`; nil when no item of this edition is there.
  func index(of position: Int64) -> Int? {
    guard let first = chunks.first, first.chunk.first <= position else { return nil }
    let placed = chunks[last { $0.chunk.first <= position }]
    return placed.chunk.offset(of: position).map { placed.index + $0 }
  }

  /// The last chunk for which `holds`; it does for the first, and stops doing so at most once.
  private func last(where holds: (Placed) -> Bool) -> Int {
    var low = 0
    var high = chunks.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if holds(chunks[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}

extension Positions {
  /// Items that gave way to others, all of neighbouring chunks.
  struct Hunk {
    /// The items that are gone, by their former indices.
    var items: Range<Int>
    /// Which of the fresh chunks stand in their place.
    var chunks: Range<Int>
  }

  /// Puts fresh chunks, in order, in the place of those that begin at `gone`.
  ///
  /// - Returns: what gave way to what, in order.
  /// - Complexity: O(chunks).
  mutating func replace(_ gone: Set<Int64>, with fresh: [Chunk]) -> [Hunk] {
    var changed = Positions()
    changed.chunks.reserveCapacity(chunks.count + fresh.count)
    var hunks: [Hunk] = []
    var taken = 0
    var isOpen = false
    func open(at index: Int) {
      if !isOpen { hunks.append(Hunk(items: index..<index, chunks: taken..<taken)) }
      isOpen = true
    }
    func takeFresh(before position: Int64, at index: Int) {
      while taken < fresh.count, fresh[taken].first < position {
        open(at: index)
        changed.append(fresh[taken])
        taken += 1
        hunks[hunks.count - 1].chunks = hunks[hunks.count - 1].chunks.lowerBound..<taken
      }
    }
    for placed in chunks {
      takeFresh(before: placed.chunk.first, at: placed.index)
      if gone.contains(placed.chunk.first) {
        open(at: placed.index)
        let last = hunks.count - 1
        hunks[last].items = hunks[last].items.lowerBound..<placed.index + placed.chunk.count
      } else {
        isOpen = false
        changed.append(placed.chunk)
      }
    }
    takeFresh(before: .max, at: count)
    self = changed
    return hunks
  }
}

extension Positions.Chunk {
  /// The position of each item.
  var positions: [Int64] { (0..<count).map { self[$0] } }

  fileprivate subscript(offset: Int) -> Int64 {
    switch spacing {
    case .even(let step): first + Int64(offset) * step
    case .each(let positions): positions[offset]
    }
  }

  fileprivate func offset(of position: Int64) -> Int? {
    switch spacing {
    case .even(let step):
      let (steps, rest) = (position - first).quotientAndRemainder(dividingBy: step)
      return rest == 0 && steps < Int64(count) ? Int(steps) : nil
    case .each(let positions):
      var low = 0
      var high = positions.count
      while low < high {
        let middle = (low + high) / 2
        if positions[middle] < position { low = middle + 1 } else { high = middle }
      }
      return low < positions.count && positions[low] == position ? low : nil
    }
  }
}
