import Windowing

/// The sort keys of a snapshot's items: the numbers by which the store orders the rows of a strip. The sort key of an item of
/// a strip that never changes is its index. Sort keys ascend with the index. An item has the same sort key in all snapshots,
/// until an edit moves it.
///
///     var sortKeys = SortKeys()
///     sortKeys.append(SortKeys.Chunk(count: 1000, first: 1 << 20, spacing: .even(1 << 20)))
///     sortKeys[3]  // 4 << 20
///
/// A thousand items take about 40 bytes, and each item of a chunk that was edited 8 bytes. Chunks are in segments,
/// which snapshots share. A change copies only the segments of the chunks that it changes.
///
///     segments │ 0               │ 64,000          │ 128,000 ...        index of the first item
///              │ 0 1,000 2,000 … │ 0 1,000 2,000 … │                    of each chunk, in its segment
///
/// - Complexity: O(log chunks) both ways.
package struct SortKeys: Sendable {
  /// The sort keys of neighbouring items: those of one `GeometryChunk`.
  package struct Chunk: Sendable {
    package let count: Int
    package let first: Int64
    package let spacing: Spacing

    package init(count: Int, first: Int64, spacing: Spacing) {
      self.count = count
      self.first = first
      self.spacing = spacing
    }
  }

  package enum Spacing: Sendable {
    /// All items are this far apart.
    case even(Int64)
    case each([Int64])
  }

  package struct PlacedChunk {
    /// The index of the chunk's first item, in the segment.
    package let index: Int
    package let chunk: Chunk
  }

  /// Neighbouring chunks, at least one.
  package struct Segment {
    package var index: Int
    package private(set) var count = 0
    package private(set) var chunks: [PlacedChunk] = []
    /// The memory of the chunks, about, in bytes.
    package private(set) var cost = 0

    package init(index: Int) { self.index = index }

    package var first: Int64 { chunks[0].chunk.first }

    package mutating func append(_ chunk: Chunk) {
      chunks.append(PlacedChunk(index: count, chunk: chunk))
      count += chunk.count
      cost += chunk.cost
    }
  }

  package private(set) var segments: [Segment] = []
  package private(set) var count = 0

  package init() {}

  /// The sort keys of a strip that never changes.
  package static func indices(count: Int) -> SortKeys {
    var sortKeys = SortKeys()
    if count > 0 { sortKeys.append(Chunk(count: count, first: 0, spacing: .even(1))) }
    return sortKeys
  }

  package mutating func append(_ chunk: Chunk) {
    if segments.last.map({ $0.chunks.count >= 64 }) ?? true {
      segments.append(Segment(index: count))
    }
    segments[segments.count - 1].append(chunk)
    count += chunk.count
  }

  /// Appends a segment, which stays shared.
  package mutating func append(_ segment: Segment) {
    segments.append(segment)
    segments[segments.count - 1].index = count
    count += segment.count
  }

  package subscript(index: Int) -> Int64 {
    let segment = segments[segments.indexOfLast { $0.index <= index }]
    let placed = segment.chunks[segment.chunks.indexOfLast { $0.index <= index - segment.index }]
    return placed.chunk[index - segment.index - placed.index]
  }

  /// O(log chunks + items).
  package subscript(range: Range<Int>) -> [Int64] {
    guard !range.isEmpty else { return [] }
    var sortKeys: [Int64] = []
    sortKeys.reserveCapacity(range.count)
    var number = segments.indexOfLast { $0.index <= range.lowerBound }
    while sortKeys.count < range.count {
      let segment = segments[number]
      let next = range.lowerBound + sortKeys.count - segment.index
      let first = segment.chunks.indexOfLast { $0.index <= next }
      for placed in segment.chunks[first...] {
        let start = range.lowerBound + sortKeys.count - segment.index - placed.index
        let end = min(placed.chunk.count, range.upperBound - segment.index - placed.index)
        guard start < end else { break }
        for offset in start..<end { sortKeys.append(placed.chunk[offset]) }
      }
      number += 1
    }
    return sortKeys
  }

  /// Divides sort keys into runs that ascend, and whose items are at most a few indices apart.
  package func runs(of sortKeys: [Int64]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var last: Int?
    for (number, sortKey) in sortKeys.enumerated() {
      let index = index(of: sortKey)
      if let index, let last, 1...8 ~= index - last {
        runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<number + 1
      } else {
        runs.append(number..<number + 1)
      }
      last = index
    }
    return runs
  }

  /// The index of the item at `sortKey`; nil if the snapshot has no item there.
  package func index(of sortKey: Int64) -> Int? {
    guard let first = segments.first?.first, first <= sortKey else { return nil }
    let segment = segments[segments.indexOfLast { $0.first <= sortKey }]
    let placed = segment.chunks[segment.chunks.indexOfLast { $0.chunk.first <= sortKey }]
    return placed.chunk.offset(of: sortKey).map { segment.index + placed.index + $0 }
  }

  package func count(before sortKey: Int64) -> Int {
    guard let first = segments.first?.first, first < sortKey else { return 0 }
    let segment = segments[segments.indexOfLast { $0.first < sortKey }]
    let placed = segment.chunks[segment.chunks.indexOfLast { $0.chunk.first < sortKey }]
    return segment.index + placed.index + placed.chunk.offset(notBefore: sortKey)
  }

  /// Whether the sort keys of each chunk are after those of the chunk before. O(chunks).
  package var areAscending: Bool {
    var last = Int64.min
    for segment in segments {
      for placed in segment.chunks {
        guard placed.chunk.first > last else { return false }
        last = placed.chunk[placed.chunk.count - 1]
      }
    }
    return true
  }

  /// The memory of the sort keys, about, in bytes. O(segments).
  package var cost: Int { segments.reduce(0) { $0 + 40 + $1.cost } }

  /// The memory that these sort keys do not share with `other`, about, in bytes. O(segments + chunks of changed segments).
  package func cost(beside other: SortKeys) -> Int {
    let (own, others) = (Set(segments.map(\.address)), Set(other.segments.map(\.address)))
    let replaced = other.segments.filter { !own.contains($0.address) }.flatMap(\.chunks)
    let shared = Set(replaced.compactMap(\.chunk.address))
    return segments.reduce(40 * segments.count) { cost, segment in
      guard !others.contains(segment.address) else { return cost }
      return segment.chunks.reduce(cost) {
        $0 + ($1.chunk.address.map(shared.contains) ?? true ? 48 : $1.chunk.cost)
      }
    }
  }
}

extension SortKeys.Segment {
  /// Identifies the array of chunks.
  fileprivate var address: UnsafeRawPointer? { chunks.withUnsafeBytes(\.baseAddress) }
}

extension Array {
  /// The index of the last element for which `holds` is true; 0 for none. The array is
  /// partitioned: `holds` is true for no element after one for which it is false.
  package func indexOfLast(where holds: (Element) -> Bool) -> Int {
    Swift.max(partitioningIndex { !holds($0) } - 1, 0)
  }
}

extension SortKeys.Chunk {
  /// Items at these sort keys, which ascend; nil if there are none.
  package init?(_ sortKeys: [Int64]) {
    guard let first = sortKeys.first else { return nil }
    self.init(
      count: sortKeys.count, first: first,
      spacing: Self.step(of: sortKeys).map(SortKeys.Spacing.even) ?? .each(sortKeys))
  }

  /// How far apart all sort keys are; nil if they are not evenly spaced.
  private static func step(of sortKeys: [Int64]) -> Int64? {
    guard sortKeys.count > 1 else { return SortKeyAllocator.step }
    let step = sortKeys[1] - sortKeys[0]
    guard step <= 1 << 40 else { return nil }
    for index in sortKeys.indices.dropFirst(2)
    where sortKeys[index] - sortKeys[index - 1] != step { return nil }
    return step
  }

  fileprivate var cost: Int { address == nil ? 48 : 80 + 8 * count }

  /// Identifies the array of sort keys; nil if there is none.
  fileprivate var address: UnsafeRawPointer? {
    guard case .each(let sortKeys) = spacing else { return nil }
    return sortKeys.withUnsafeBytes(\.baseAddress)
  }

  package var all: [Int64] {
    if case .each(let sortKeys) = spacing { sortKeys } else { (0..<count).map { self[$0] } }
  }

  package subscript(offset: Int) -> Int64 {
    switch spacing {
    case .even(let step): first + Int64(offset) * step
    case .each(let sortKeys): sortKeys[offset]
    }
  }

  /// How many of the items are before `sortKey`.
  package func offset(notBefore sortKey: Int64) -> Int {
    switch spacing {
    case .even(let step):
      guard sortKey > first else { return 0 }
      // This also keeps the sum below from overflowing.
      guard sortKey <= self[count - 1] else { return count }
      return Int((sortKey - first + step - 1) / step)
    case .each(let sortKeys):
      return sortKeys.partitioningIndex { $0 >= sortKey }
    }
  }

  package func offset(of sortKey: Int64) -> Int? {
    let offset = offset(notBefore: sortKey)
    return offset < count && self[offset] == sortKey ? offset : nil
  }
}

extension SortKeys {
  /// Calls `body` with the sort keys of the items whose bits are set, in order. O(*n* / 64 + selected items).
  @inline(__always)
  package func forEach(where bits: Bitmap, _ body: (Int64) -> Void) {
    for segment in segments {
      for placed in segment.chunks {
        let start = segment.index + placed.index
        let range = start..<start + placed.chunk.count
        switch placed.chunk.spacing {
        case .even(let step):
          let first = placed.chunk.first - Int64(start) * step
          bits.forEach(in: range) { body(first &+ Int64($0) &* step) }
        case .each(let each): bits.forEach(in: range) { body(each[$0 - start]) }
        }
      }
    }
  }
}
