extension Positions {
  /// Neighbouring items that give way to others.
  package struct Splice: Hashable, Sendable {
    /// The items that were there, by the indices they had; empty where items only come.
    package var items: Range<Int>
    /// The changes that make the difference, by their places in what was given.
    package var changes: Range<Int>
  }

  /// No chunk holds more items: what an insertion copies is bounded.
  private static let capacity = 1500

  /// Brings positions to where a strip's changes leave them.
  ///
  /// - Parameter changes: in the order of their positions.
  /// - Returns: what gives way to what, in order. A change that finds nothing to take away makes no
  ///   difference.
  /// - Complexity: O(chunks + *k* log *n* + items of the chunks where some come or go).
  package mutating func apply(_ changes: LayoutChanges) -> [Splice] {
    var splices: [Splice] = []
    var changed = Positions()
    var next = 0
    for (place, placed) in chunks.enumerated() {
      let end = place + 1 < chunks.count ? chunks[place + 1].chunk.first : .max
      let start = next
      while next < changes.count, changes[next].position < end { next += 1 }
      if start == next {
        changed.append(placed.chunk)
      } else {
        changed.append(contentsOf: placed, after: changes, start..<next, &splices)
      }
    }
    if chunks.isEmpty {
      let none = Placed(index: 0, chunk: Chunk(count: 0, first: 0, spacing: .each([])))
      changed.append(contentsOf: none, after: changes, 0..<changes.count, &splices)
    }
    self = changed
    return splices
  }

  /// Appends what some changes, all within it, leave of a chunk.
  private mutating func append(
    contentsOf placed: Placed, after changes: LayoutChanges, _ range: Range<Int>,
    _ splices: inout [Splice]
  ) {
    var moves: [(place: Int, position: Int64, isThere: Bool)] = []
    for change in range {
      let position = changes[change].position
      let place = placed.chunk.place(of: position)
      let isThere = place < placed.chunk.count && placed.chunk[place] == position
      let stays = changes[change].after != nil
      if !isThere && !stays { continue }
      if isThere != stays { moves.append((place, position, isThere)) }
      let index = placed.index + place
      splices.join(index..<index + (isThere ? 1 : 0), change)
    }
    guard !moves.isEmpty else { return append(placed.chunk) }
    let old = placed.chunk.positions
    var positions: [Int64] = []
    positions.reserveCapacity(old.count + moves.count)
    var taken = 0
    for move in moves {
      positions += old[taken..<move.place]
      taken = move.isThere ? move.place + 1 : move.place
      if !move.isThere { positions.append(move.position) }
    }
    positions += old[taken...]
    let pieces = (positions.count + Self.capacity - 1) / Self.capacity
    for piece in 0..<pieces {
      let (start, end) = (piece * positions.count, (piece + 1) * positions.count)
      Chunk(Array(positions[start / pieces..<end / pieces])).map { append($0) }
    }
  }

  /// Takes out the items from `index` on.
  package mutating func truncate(at index: Int) {
    var kept = Positions()
    for placed in chunks where placed.index < index {
      let count = min(placed.chunk.count, index - placed.index)
      if count == placed.chunk.count {
        kept.append(placed.chunk)
      } else {
        Chunk(Array(placed.chunk.positions.prefix(count))).map { kept.append($0) }
      }
    }
    self = kept
  }
}

extension [Positions.Splice] {
  /// Adds the change of these items, to the last splice where it goes on from there.
  fileprivate mutating func join(_ items: Range<Int>, _ change: Int) {
    if let last = last, last.items.upperBound == items.lowerBound {
      self[count - 1].items = last.items.lowerBound..<items.upperBound
      self[count - 1].changes = last.changes.lowerBound..<change + 1
    } else {
      append(Positions.Splice(items: items, changes: change..<change + 1))
    }
  }
}
