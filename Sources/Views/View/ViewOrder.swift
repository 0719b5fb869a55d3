import Windowing

/// The sort keys of a view's items in the view's order.
///
///     segments │ 0            │ 1024         │ 2048 ...      the index of the first sort key
///              │ k7 k2 k9 ... │ k1 k4 ...    │               the sort keys
///
/// It is a value. An edit copies the changed segment and shares the other segments.
///
/// - Complexity: O(log *n*) to find an index; O(segments + sort keys of a segment) to insert or remove a sort key. A sort key takes
///   at most two bytes in the strip's order, and four in another order, unless edits have put items close
///   together.
package struct ViewOrder: Sendable {
  private struct Segment {
    var start: Int
    var sortKeys: PackedSortKeys
  }

  private static let segmentCount = 1024
  private static let segmentLimit = 2048

  private var segments: [Segment] = []
  package private(set) var count: Int

  private init(_ segments: [Segment], count: Int) {
    self.segments = segments
    self.count = count
  }

  package init(_ sortKeys: [Int64]) {
    var builder = Builder()
    for sortKey in sortKeys { builder.append(sortKey) }
    self = builder.finish()
  }

  /// The sort keys of the items whose bits are set, in the strip's order.
  ///
  /// - Complexity: O(*n* / 64) for many items; the sort keys are then read from the bits. Else O(selected items).
  package init(where bits: Bitmap, of sortKeys: SortKeys) {
    let count = bits.selectedCount
    // Bits take less memory than packed sort keys if an item in 16 is selected.
    guard count >= bits.count / 16 else {
      var builder = Builder()
      sortKeys.forEach(where: bits) { builder.append($0) }
      self = builder.finish()
      return
    }
    let selected = SelectedSortKeys(bits: bits, sortKeys: sortKeys)
    var starts: [Int] = []
    var rank = 0
    for (number, word) in bits.words.enumerated() {
      let next = rank + word.nonzeroBitCount
      while starts.count * Self.segmentCount < next {
        starts.append(
          number * 64 + word.bit(ofRank: starts.count * Self.segmentCount - rank))
      }
      rank = next
    }
    segments = starts.indices.map { number in
      let range = starts[number]..<(number + 1 < starts.count ? starts[number + 1] : bits.count)
      let start = number * Self.segmentCount
      return Segment(
        start: start,
        sortKeys: .selected(selected, range, count: min(Self.segmentCount, count - start)))
    }
    self.count = count
  }

  struct Builder {
    private var segments: [Segment] = []
    private var sortKeys: [Int64] = []

    init() { sortKeys.reserveCapacity(ViewOrder.segmentCount) }

    @inline(__always)
    mutating func append(_ sortKey: Int64) {
      sortKeys.append(sortKey)
      if sortKeys.count == ViewOrder.segmentCount { flush() }
    }

    private mutating func flush() {
      segments.append(
        Segment(
          start: segments.count * ViewOrder.segmentCount, sortKeys: PackedSortKeys(sortKeys)))
      sortKeys.removeAll(keepingCapacity: true)
    }

    consuming func finish() -> ViewOrder {
      let count = segments.count * ViewOrder.segmentCount + sortKeys.count
      if !sortKeys.isEmpty { flush() }
      return ViewOrder(segments, count: count)
    }
  }

  var cost: Int { segments.reduce(0) { $0 + MemoryLayout<Segment>.stride + $1.sortKeys.cost } }

  /// The number of segments that changes at these indices have copied, and their approximate bytes with those of the list
  /// of all segments. O(*k* log segments) for *k* changes.
  func copies(ofChangesAt indices: [Int]) -> (segments: Int, bytes: Int) {
    let changed = Set(indices.map { index in segments.indexOfLast { $0.start <= index } })
    let bytes = changed.reduce(0) { $0 + (segments.isEmpty ? 0 : segments[$1].sortKeys.cost) }
    return (changed.count, MemoryLayout<Segment>.stride * segments.count + bytes)
  }

  package subscript(index: Int) -> Int64 {
    let segment = segments[segments.indexOfLast { $0.start <= index }]
    return segment.sortKeys[index - segment.start]
  }

  package subscript(range: Range<Int>) -> [Int64] {
    guard !range.isEmpty else { return [] }
    var sortKeys: [Int64] = []
    sortKeys.reserveCapacity(range.count)
    var number = segments.indexOfLast { $0.start <= range.lowerBound }
    while sortKeys.count < range.count {
      let segment = segments[number]
      let first = range.lowerBound + sortKeys.count - segment.start
      segment.sortKeys.append(
        first..<min(segment.sortKeys.count, range.upperBound - segment.start), to: &sortKeys)
      number += 1
    }
    return sortKeys
  }

  package func firstIndex(notBefore sortKey: Int64, by precedes: (Int64, Int64) -> Bool) -> Int {
    let number = segments.partitioningIndex {
      !precedes($0.sortKeys[$0.sortKeys.count - 1], sortKey)
    }
    guard number < segments.count else { return count }
    let segment = segments[number]
    return segment.start
      + (0..<segment.sortKeys.count).partitioningIndex { !precedes(segment.sortKeys[$0], sortKey) }
  }

  package mutating func insert(_ sortKey: Int64, at index: Int) {
    count += 1
    guard !segments.isEmpty else {
      segments = [Segment(start: 0, sortKeys: PackedSortKeys([sortKey]))]
      return
    }
    let number = segments.indexOfLast { $0.start <= index }
    let start = segments[number].start
    var sortKeys = segments[number].sortKeys.all
    sortKeys.insert(sortKey, at: index - start)
    for later in segments.indices[(number + 1)...] { segments[later].start += 1 }
    guard sortKeys.count > Self.segmentLimit else {
      segments[number].sortKeys = PackedSortKeys(sortKeys)
      return
    }
    let half = sortKeys.count / 2
    segments[number].sortKeys = PackedSortKeys(Array(sortKeys[..<half]))
    segments.insert(
      Segment(start: start + half, sortKeys: PackedSortKeys(Array(sortKeys[half...]))),
      at: number + 1)
  }

  package mutating func remove(at index: Int) {
    count -= 1
    let number = segments.indexOfLast { $0.start <= index }
    var sortKeys = segments[number].sortKeys.all
    sortKeys.remove(at: index - segments[number].start)
    for later in segments.indices[(number + 1)...] { segments[later].start -= 1 }
    segments[number].sortKeys = PackedSortKeys(sortKeys)
    if sortKeys.isEmpty { segments.remove(at: number) }
  }
}

/// The sort keys of the items that a view selects of a snapshot. Segments share them.
private final class SelectedSortKeys: Sendable {
  let bits: Bitmap
  let sortKeys: SortKeys

  init(bits: Bitmap, sortKeys: SortKeys) {
    self.bits = bits
    self.sortKeys = sortKeys
  }
}

private enum PackedSortKeys: Sendable {
  /// The sort keys of the `count` selected items in a range of indices.
  case selected(SelectedSortKeys, Range<Int>, count: Int)
  /// Sort keys as differences to the least one, without their low bits that are all zero.
  case packed(least: Int64, shift: Int64, PackedIntegers)
  /// Sort keys that differ too much.
  case plain([Int64])

  init(_ sortKeys: [Int64]) {
    let least = sortKeys.min() ?? 0
    let bits = sortKeys.reduce(0) { $0 | ($1 &- least) }
    let shift = bits == 0 ? 0 : Int64(bits.trailingZeroBitCount)
    // A difference that overflows is negative.
    guard bits >= 0, bits >> shift <= UInt32.max else {
      self = .plain(Array(sortKeys[...]))
      return
    }
    self = .packed(
      least: least, shift: shift,
      PackedIntegers(sortKeys.map { UInt32(truncatingIfNeeded: ($0 &- least) >> shift) }))
  }

  var count: Int {
    switch self {
    case .selected(_, _, let count): count
    case .packed(_, _, let codes): codes.count
    case .plain(let sortKeys): sortKeys.count
    }
  }

  var cost: Int {
    switch self {
    case .selected(_, let range, _): range.count / 8
    case .packed(_, _, let codes): codes.cost
    case .plain(let sortKeys): 8 * sortKeys.count
    }
  }

  subscript(index: Int) -> Int64 {
    switch self {
    case .selected(let selected, let range, _):
      selected.sortKeys[selected.bits.index(ofSetBit: index, from: range.lowerBound)]
    case .packed(let least, let shift, let codes): least &+ Int64(codes[index]) << shift
    case .plain(let sortKeys): sortKeys[index]
    }
  }

  func append(_ indices: Range<Int>, to sortKeys: inout [Int64]) {
    guard case .selected(let selected, let range, _) = self, !indices.isEmpty else {
      for index in indices { sortKeys.append(self[index]) }
      return
    }
    var index = selected.bits.index(ofSetBit: indices.lowerBound, from: range.lowerBound)
    sortKeys.append(selected.sortKeys[index])
    for _ in indices.dropFirst() {
      index = selected.bits.index(ofSetBit: 0, from: index + 1)
      sortKeys.append(selected.sortKeys[index])
    }
  }

  var all: [Int64] {
    var sortKeys: [Int64] = []
    sortKeys.reserveCapacity(count + 1)
    append(0..<count, to: &sortKeys)
    return sortKeys
  }
}
