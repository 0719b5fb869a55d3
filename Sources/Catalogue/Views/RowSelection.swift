import Windowing

/// The keys of a view's items in the view's order.
///
///     pages    │ 0            │ 1024         │ 2048 ...      the index of the first key
///              │ k7 k2 k9 ... │ k1 k4 ...    │               the keys
///
/// It is a value. An edit copies the changed page and shares the other pages.
///
/// - Complexity: O(log *n*) to find an index; O(pages + keys of a page) to insert or remove a key. A key takes
///   at most two bytes in the strip's order, and four in another order, unless edits have put items close
///   together.
package struct RowSelection: Sendable {
  private struct Page {
    var start: Int
    var keys: PackedKeys
  }

  private static let pageCount = 1024
  private static let pageLimit = 2048

  private var pages: [Page] = []
  package private(set) var count: Int

  private init(_ pages: [Page], count: Int) {
    self.pages = pages
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
      while starts.count * Self.pageCount < next {
        starts.append(
          number * 64 + word.bit(ofRank: starts.count * Self.pageCount - rank))
      }
      rank = next
    }
    pages = starts.indices.map { number in
      let range = starts[number]..<(number + 1 < starts.count ? starts[number + 1] : bits.count)
      let start = number * Self.pageCount
      return Page(
        start: start,
        keys: .selected(selected, range, count: min(Self.pageCount, count - start)))
    }
    self.count = count
  }

  struct Builder {
    private var pages: [Page] = []
    private var keys: [Int64] = []

    init() { keys.reserveCapacity(RowSelection.pageCount) }

    @inline(__always)
    mutating func append(_ key: Int64) {
      keys.append(key)
      if keys.count == RowSelection.pageCount { flush() }
    }

    private mutating func flush() {
      pages.append(Page(start: pages.count * RowSelection.pageCount, keys: PackedKeys(keys)))
      keys.removeAll(keepingCapacity: true)
    }

    consuming func finish() -> RowSelection {
      let count = pages.count * RowSelection.pageCount + keys.count
      if !keys.isEmpty { flush() }
      return RowSelection(pages, count: count)
    }
  }

  var cost: Int { pages.reduce(0) { $0 + MemoryLayout<Page>.stride + $1.keys.cost } }

  /// About the pages that changes at these indices have copied: their number, and their bytes with those of the list of
  /// all pages. O(*k* log pages) for *k* changes.
  func copies(ofChangesAt indices: [Int]) -> (pages: Int, bytes: Int) {
    let changed = Set(indices.map { index in pages.indexOfLast { $0.start <= index } })
    let bytes = changed.reduce(0) { $0 + (pages.isEmpty ? 0 : pages[$1].keys.cost) }
    return (changed.count, MemoryLayout<Page>.stride * pages.count + bytes)
  }

  package subscript(index: Int) -> Int64 {
    let page = pages[pages.indexOfLast { $0.start <= index }]
    return page.keys[index - page.start]
  }

  package subscript(range: Range<Int>) -> [Int64] {
    guard !range.isEmpty else { return [] }
    var keys: [Int64] = []
    keys.reserveCapacity(range.count)
    var number = pages.indexOfLast { $0.start <= range.lowerBound }
    while keys.count < range.count {
      let page = pages[number]
      let first = range.lowerBound + keys.count - page.start
      page.keys.append(first..<min(page.keys.count, range.upperBound - page.start), to: &keys)
      number += 1
    }
    return keys
  }

  package func firstIndex(notBefore key: Int64, by precedes: (Int64, Int64) -> Bool) -> Int {
    let number = pages.partitioningIndex { !precedes($0.keys[$0.keys.count - 1], key) }
    guard number < pages.count else { return count }
    let page = pages[number]
    return page.start
      + (0..<page.keys.count).partitioningIndex { !precedes(page.keys[$0], key) }
  }

  package mutating func insert(_ key: Int64, at index: Int) {
    count += 1
    guard !pages.isEmpty else {
      pages = [Page(start: 0, keys: PackedKeys([key]))]
      return
    }
    let number = pages.indexOfLast { $0.start <= index }
    let start = pages[number].start
    var keys = pages[number].keys.all
    keys.insert(key, at: index - start)
    for later in pages.indices[(number + 1)...] { pages[later].start += 1 }
    guard keys.count > Self.pageLimit else {
      pages[number].keys = PackedKeys(keys)
      return
    }
    let half = keys.count / 2
    pages[number].keys = PackedKeys(Array(keys[..<half]))
    pages.insert(Page(start: start + half, keys: PackedKeys(Array(keys[half...]))), at: number + 1)
  }

  package mutating func remove(at index: Int) {
    count -= 1
    let number = pages.indexOfLast { $0.start <= index }
    var keys = pages[number].keys.all
    keys.remove(at: index - pages[number].start)
    for later in pages.indices[(number + 1)...] { pages[later].start -= 1 }
    pages[number].keys = PackedKeys(keys)
    if keys.isEmpty { pages.remove(at: number) }
  }
}

/// The keys of the items that a view selects of a snapshot. Pages share them.
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
