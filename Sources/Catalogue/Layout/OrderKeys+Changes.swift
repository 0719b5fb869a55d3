extension OrderKeys {
  /// Neighbouring items that are replaced by others.
  package struct Splice: Hashable, Sendable {
    /// The indices of the items before; empty if items are only inserted.
    package var items: Range<Int>
    /// The indices of the changes.
    package var changes: Range<Int>
  }

  /// The largest count of a chunk that changes make. It bounds what an insertion copies.
  private static let capacity = 1500

  /// Applies a strip's changes to the positions.
  ///
  /// - Returns: which items are replaced by which, in order. A removal of an item that is not there has no
  ///   effect.
  /// - Complexity: O(pages + *k* log *n*), and the chunks of the pages and the items of the chunks where
  ///   items are inserted or removed.
  package mutating func apply(_ changes: LayoutChanges) -> [Splice] {
    var splices: [Splice] = []
    var changed = OrderKeys()
    var next = 0
    for (number, page) in pages.enumerated() {
      let end = number + 1 < pages.count ? pages[number + 1].first : .max
      let start = next
      while next < changes.count, changes[next].position < end { next += 1 }
      if start == next || page.keepsPositions(after: changes, start..<next, &splices) {
        changed.append(page)
      } else {
        changed.append(contentsOf: page, after: changes, start..<next, &splices)
      }
    }
    if pages.isEmpty {
      let none = Chunk(count: 0, first: 0, spacing: .each([]))
      changed.append(contentsOf: none, at: 0, after: changes, 0..<changes.count, &splices)
    }
    self = changed
    return splices
  }

  /// Appends a page after some changes, all within it.
  private mutating func append(
    contentsOf page: Page, after changes: LayoutChanges, _ range: Range<Int>,
    _ splices: inout [Splice]
  ) {
    var next = range.lowerBound
    for (number, placed) in page.chunks.enumerated() {
      let end = number + 1 < page.chunks.count ? page.chunks[number + 1].chunk.first : .max
      let start = next
      while next < range.upperBound, changes[next].position < end { next += 1 }
      if start == next {
        append(placed.chunk)
      } else {
        append(
          contentsOf: placed.chunk, at: page.index + placed.index, after: changes, start..<next,
          &splices)
      }
    }
  }

  /// Appends a chunk after some changes, all within it.
  ///
  /// - Parameter first: the index of its first item before.
  private mutating func append(
    contentsOf chunk: Chunk, at first: Int, after changes: LayoutChanges, _ range: Range<Int>,
    _ splices: inout [Splice]
  ) {
    var moves: [(offset: Int, position: Int64, isThere: Bool)] = []
    for change in range {
      let position = changes[change].position
      let offset = chunk.offset(notBefore: position)
      let isThere = offset < chunk.count && chunk[offset] == position
      let stays = changes[change].after != nil
      if !isThere && !stays { continue }
      if isThere != stays { moves.append((offset, position, isThere)) }
      let index = first + offset
      splices.join(index..<index + (isThere ? 1 : 0), change)
    }
    guard !moves.isEmpty else { return append(chunk) }
    let old = chunk.all
    var positions: [Int64] = []
    positions.reserveCapacity(old.count + moves.count)
    var taken = 0
    for move in moves {
      positions += old[taken..<move.offset]
      taken = move.isThere ? move.offset + 1 : move.offset
      if !move.isThere { positions.append(move.position) }
    }
    positions += old[taken...]
    let pieces = (positions.count + Self.capacity - 1) / Self.capacity
    for piece in 0..<pieces {
      let (start, end) = (piece * positions.count, (piece + 1) * positions.count)
      Chunk(Array(positions[start / pieces..<end / pieces])).map { append($0) }
    }
  }

  /// Removes the items from `index` on.
  package mutating func truncate(at index: Int) {
    var kept = OrderKeys()
    for page in pages where page.index < index {
      if page.index + page.count <= index {
        kept.append(page)
        continue
      }
      for placed in page.chunks where page.index + placed.index < index {
        let rest = index - page.index - placed.index
        if placed.chunk.count <= rest {
          kept.append(placed.chunk)
        } else {
          Chunk(Array(placed.chunk.all.prefix(rest))).map { kept.append($0) }
        }
      }
    }
    self = kept
  }
}

extension OrderKeys.Page {
  /// Whether some changes, all within this page, insert and remove no item. Then adds them to `splices`.
  fileprivate func keepsPositions(
    after changes: LayoutChanges, _ range: Range<Int>, _ splices: inout [OrderKeys.Splice]
  ) -> Bool {
    var found: [Int] = []
    found.reserveCapacity(range.count)
    for number in range {
      let change = changes[number]
      let placed = chunks[chunks.indexOfLast { $0.chunk.first <= change.position }]
      guard change.after != nil, let offset = placed.chunk.offset(of: change.position) else {
        return false
      }
      found.append(index + placed.index + offset)
    }
    for (item, change) in zip(found, range) { splices.join(item..<item + 1, change) }
    return true
  }
}

extension [OrderKeys.Splice] {
  /// Adds a change of items: to the last splice if that ends where they begin.
  fileprivate mutating func join(_ items: Range<Int>, _ change: Int) {
    if let last = last, last.items.upperBound == items.lowerBound {
      self[count - 1].items = last.items.lowerBound..<items.upperBound
      self[count - 1].changes = last.changes.lowerBound..<change + 1
    } else {
      append(OrderKeys.Splice(items: items, changes: change..<change + 1))
    }
  }
}
