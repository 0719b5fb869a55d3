import Windowing

/// The keys of a view's items in the view's order.
///
///     segments │ 0            │ 1024         │ 2048 ...      the index of the first key
///              │ k7 k2 k9 ... │ k1 k4 ...    │               the keys
///
/// It is a value. An edit copies the changed segment and shares the other segments.
///
/// - Complexity: O(log *n*) to find an index; O(segments + keys of a segment) to insert or remove a key. A key takes
///   at most two bytes in the strip's order, and four in another order, unless edits have put items close
///   together.
package struct RowSelection: Sendable {
  private struct Segment {
    var start: Int
    var keys: PackedKeys
  }

  private static let segmentCount = 1024
  private static let segmentLimit = 2048

  private var segments: [Segment] = []
  package private(set) var count: Int

  private init(_ segments: [Segment], count: Int) {
    self.segments = segments
    self.count = count
  }

  package init(_ keys: [Int64]) {
    var builder = Builder()
    for key in keys { builder.append(key) }
    self = builder.finish()
  }

  /// The keys of the items whose bits are set, in the strip's order.
  ///
  /// - Complexity: O(*n* / 64) for many items; the keys are then read from the bits. Else O(selected items).
  package init(where bits: Bitmap, of keys: SortKeys) {
    let count = bits.selectedCount
    // Bits take less memory than packed keys if an item in 16 is selected.
    guard count >= bits.count / 16 else {
      var builder = Builder()
      keys.forEach(where: bits) { builder.append($0) }
      self = builder.finish()
      return
    }
    let selected = SelectedKeys(bits: bits, keys: keys)
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
        keys: .selected(selected, range, count: min(Self.segmentCount, count - start)))
    }
    self.count = count
  }

  struct Builder {
    private var segments: [Segment] = []
    private var keys: [Int64] = []

    init() { keys.reserveCapacity(RowSelection.segmentCount) }

    @inline(__always)
    mutating func append(_ key: Int64) {
      keys.append(key)
      if keys.count == RowSelection.segmentCount { flush() }
    }

    private mutating func flush() {
      segments.append(
        Segment(start: segments.count * RowSelection.segmentCount, keys: PackedKeys(keys)))
      keys.removeAll(keepingCapacity: true)
    }

    consuming func finish() -> RowSelection {
      let count = segments.count * RowSelection.segmentCount + keys.count
      if !keys.isEmpty { flush() }
      return RowSelection(segments, count: count)
    }
  }

  var cost: Int { segments.reduce(0) { $0 + MemoryLayout<Segment>.stride + $1.keys.cost } }

  /// About the segments that changes at these indices have copied: their number, and their bytes with those of the list
  /// of all segments. O(*k* log segments) for *k* changes.
  func copies(ofChangesAt indices: [Int]) -> (segments: Int, bytes: Int) {
    let changed = Set(indices.map { index in segments.indexOfLast { $0.start <= index } })
    let bytes = changed.reduce(0) { $0 + (segments.isEmpty ? 0 : segments[$1].keys.cost) }
    return (changed.count, MemoryLayout<Segment>.stride * segments.count + bytes)
  }

  package subscript(index: Int) -> Int64 {
    let segment = segments[segments.indexOfLast { $0.start <= index }]
    return segment.keys[index - segment.start]
  }

  package subscript(range: Range<Int>) -> [Int64] {
    guard !range.isEmpty else { return [] }
    var keys: [Int64] = []
    keys.reserveCapacity(range.count)
    var number = segments.indexOfLast { $0.start <= range.lowerBound }
    while keys.count < range.count {
      let segment = segments[number]
      let first = range.lowerBound + keys.count - segment.start
      segment.keys.append(
        first..<min(segment.keys.count, range.upperBound - segment.start), to: &keys)
      number += 1
    }
    return keys
  }

  package func firstIndex(notBefore key: Int64, by precedes: (Int64, Int64) -> Bool) -> Int {
    let number = segments.partitioningIndex { !precedes($0.keys[$0.keys.count - 1], key) }
    guard number < segments.count else { return count }
    let segment = segments[number]
    return segment.start
      + (0..<segment.keys.count).partitioningIndex { !precedes(segment.keys[$0], key) }
  }

  package mutating func insert(_ key: Int64, at index: Int) {
    count += 1
    guard !segments.isEmpty else {
      segments = [Segment(start: 0, keys: PackedKeys([key]))]
      return
    }
    let number = segments.indexOfLast { $0.start <= index }
    let start = segments[number].start
    var keys = segments[number].keys.all
    keys.insert(key, at: index - start)
    for later in segments.indices[(number + 1)...] { segments[later].start += 1 }
    guard keys.count > Self.segmentLimit else {
      segments[number].keys = PackedKeys(keys)
      return
    }
    let half = keys.count / 2
    segments[number].keys = PackedKeys(Array(keys[..<half]))
    segments.insert(
      Segment(start: start + half, keys: PackedKeys(Array(keys[half...]))), at: number + 1)
  }

  package mutating func remove(at index: Int) {
    count -= 1
    let number = segments.indexOfLast { $0.start <= index }
    var keys = segments[number].keys.all
    keys.remove(at: index - segments[number].start)
    for later in segments.indices[(number + 1)...] { segments[later].start -= 1 }
    segments[number].keys = PackedKeys(keys)
    if keys.isEmpty { segments.remove(at: number) }
  }
}

/// The keys of the items that a view selects of a snapshot. Segments share them.
private final class SelectedKeys: Sendable {
  let bits: Bitmap
  let keys: SortKeys

  init(bits: Bitmap, keys: SortKeys) {
    self.bits = bits
    self.keys = keys
  }
}

private enum PackedKeys: Sendable {
  /// The keys of the `count` selected items in a range of indices.
  case selected(SelectedKeys, Range<Int>, count: Int)
  /// Keys as differences to the least one, without their low bits that are all zero.
  case packed(least: Int64, shift: Int64, PackedIntegers)
  /// Keys that differ too much.
  case plain([Int64])

  init(_ keys: [Int64]) {
    let least = keys.min() ?? 0
    let bits = keys.reduce(0) { $0 | ($1 &- least) }
    let shift = bits == 0 ? 0 : Int64(bits.trailingZeroBitCount)
    // A difference that overflows is negative.
    guard bits >= 0, bits >> shift <= UInt32.max else {
      self = .plain(Array(keys[...]))
      return
    }
    self = .packed(
      least: least, shift: shift,
      PackedIntegers(keys.map { UInt32(truncatingIfNeeded: ($0 &- least) >> shift) }))
  }

  var count: Int {
    switch self {
    case .selected(_, _, let count): count
    case .packed(_, _, let codes): codes.count
    case .plain(let keys): keys.count
    }
  }

  var cost: Int {
    switch self {
    case .selected(_, let range, _): range.count / 8
    case .packed(_, _, let codes): codes.cost
    case .plain(let keys): 8 * keys.count
    }
  }

  subscript(index: Int) -> Int64 {
    switch self {
    case .selected(let selected, let range, _):
      selected.keys[selected.bits.index(ofSetBit: index, from: range.lowerBound)]
    case .packed(let least, let shift, let codes): least &+ Int64(codes[index]) << shift
    case .plain(let keys): keys[index]
    }
  }

  func append(_ indices: Range<Int>, to keys: inout [Int64]) {
    guard case .selected(let selected, let range, _) = self, !indices.isEmpty else {
      for index in indices { keys.append(self[index]) }
      return
    }
    var index = selected.bits.index(ofSetBit: indices.lowerBound, from: range.lowerBound)
    keys.append(selected.keys[index])
    for _ in indices.dropFirst() {
      index = selected.bits.index(ofSetBit: 0, from: index + 1)
      keys.append(selected.keys[index])
    }
  }

  var all: [Int64] {
    var keys: [Int64] = []
    keys.reserveCapacity(count + 1)
    append(0..<count, to: &keys)
    return keys
  }
}
