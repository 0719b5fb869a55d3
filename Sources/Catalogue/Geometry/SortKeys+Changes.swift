package import Views

extension SortKeys {
  /// Neighbouring items that are replaced by others.
  package struct Splice: Hashable, Sendable {
    /// The indices of the items before; empty if items are only inserted.
    package var items: Range<Int>
    /// The indices of the changes.
    package var changes: Range<Int>
  }

  /// Applies a strip's changes to the sort keys. A removal of an item that is not there has no effect.
  ///
  /// - Returns: which items are replaced by which, in order.
  /// - Complexity: O(segments + *k* log *n*), and the chunks of the segments and the items of the chunks where
  ///   items are inserted or removed.
  package mutating func apply(_ changes: GeometryChanges) -> [Splice] {
    var splices: [Splice] = []
    var changed = SortKeys()
    var next = 0
    // Without items there is no segment.
    var old = segments
    if old.isEmpty {
      old = [Segment(index: 0)]
      old[0].append(Chunk(count: 0, first: 0, spacing: .each([])))
    }
    for (number, segment) in old.enumerated() {
      let end = number + 1 < old.count ? old[number + 1].first : .max
      guard next < changes.count, changes[next].sortKey < end else {
        changed.append(segment)
        continue
      }
      // The number of chunks that were appended: none while the segment can stay shared.
      var done = 0
      while next < changes.count, changes[next].sortKey < end {
        let sortKey = changes[next].sortKey
        let number = segment.chunks.indexOfLast { $0.chunk.first <= sortKey }
        let last = number + 1 == segment.chunks.count
        let limit = last ? end : segment.chunks[number + 1].chunk.first
        let start = next
        while next < changes.count, changes[next].sortKey < limit { next += 1 }
        let placed = segment.chunks[number]
        if let new = placed.chunk.applying(
          changes, start..<next, at: segment.index + placed.index, &splices)
        {
          for placed in segment.chunks[done..<number] { changed.append(placed.chunk) }
          for chunk in new { changed.append(chunk) }
          done = number + 1
        }
      }
      if done == 0 {
        changed.append(segment)
      } else {
        for placed in segment.chunks[done...] { changed.append(placed.chunk) }
      }
    }
    self = changed.count > 0 ? changed : SortKeys()
    return splices
  }

  /// Removes the items from `index` on.
  package mutating func truncate(at index: Int) {
    var kept = SortKeys()
    for segment in segments where segment.index < index {
      if segment.index + segment.count <= index {
        kept.append(segment)
        continue
      }
      for placed in segment.chunks where segment.index + placed.index < index {
        let rest = index - segment.index - placed.index
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

extension SortKeys.Chunk {
  /// The most items of a chunk that changes make. It bounds the number of items that an insertion copies.
  private static let capacity = 1500

  /// Applies some changes, all within this chunk. Adds them to `splices`.
  ///
  /// - Parameter first: the index of the first item before.
  /// - Returns: the chunks that replace this one; nil if all sort keys stay.
  fileprivate func applying(
    _ changes: GeometryChanges, _ range: Range<Int>, at first: Int,
    _ splices: inout [SortKeys.Splice]
  ) -> [SortKeys.Chunk]? {
    var moves: [(offset: Int, sortKey: Int64, exists: Bool)] = []
    for change in range {
      let sortKey = changes[change].sortKey
      let offset = offset(notBefore: sortKey)
      let exists = offset < count && self[offset] == sortKey
      let stays = changes[change].after != nil
      if !exists && !stays { continue }
      if exists != stays { moves.append((offset, sortKey, exists)) }
      let index = first + offset
      splices.join(index..<index + (exists ? 1 : 0), change)
    }
    guard !moves.isEmpty else { return nil }
    let old = all
    var sortKeys: [Int64] = []
    sortKeys.reserveCapacity(old.count + moves.count)
    var taken = 0
    for move in moves {
      sortKeys += old[taken..<move.offset]
      taken = move.exists ? move.offset + 1 : move.offset
      if !move.exists { sortKeys.append(move.sortKey) }
    }
    sortKeys += old[taken...]
    let chunkCount = (sortKeys.count + Self.capacity - 1) / Self.capacity
    return (0..<chunkCount).compactMap {
      let (start, end) = ($0 * sortKeys.count, ($0 + 1) * sortKeys.count)
      return SortKeys.Chunk(Array(sortKeys[start / chunkCount..<end / chunkCount]))
    }
  }
}

extension [SortKeys.Splice] {
  /// Adds a change of items: to the last splice if that ends where they begin.
  fileprivate mutating func join(_ items: Range<Int>, _ change: Int) {
    if let last = last, last.items.upperBound == items.lowerBound {
      self[count - 1].items = last.items.lowerBound..<items.upperBound
      self[count - 1].changes = last.changes.lowerBound..<change + 1
    } else {
      append(SortKeys.Splice(items: items, changes: change..<change + 1))
    }
  }
}
