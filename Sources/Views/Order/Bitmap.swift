/// One bit for each item of a strip, by index: the items that a filter selects.
///
/// - Complexity: O(*n* / 64) for each operation on all bits.
package struct Bitmap: Hashable, Sendable {
  package let count: Int
  /// The lowest bit of a word is the first. Bits from `count` on are 0.
  package private(set) var words: [UInt64]

  package init(repeating value: Bool, count: Int) {
    self.count = count
    words = Array(repeating: value ? .max : 0, count: (count + 63) / 64)
    clearTail()
  }

  private mutating func clearTail() {
    guard count & 63 != 0 else { return }
    words[words.count - 1] &= (1 << UInt64(count & 63)) - 1
  }

  /// Sets the bits of `word` from `start` on.
  ///
  /// - Precondition: The bits were 0. No bit of `word` is at `count` or after it.
  @inline(__always)
  mutating func add(_ word: UInt64, at start: Int) {
    let shift = UInt64(start & 63)
    words[start >> 6] |= word << shift
    if shift > 0, word >> (64 - shift) != 0 { words[start >> 6 + 1] |= word >> (64 - shift) }
  }

  package mutating func insert(_ index: Int) { words[index >> 6] |= 1 << UInt64(index & 63) }

  package subscript(index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }

  package mutating func formIntersection(_ other: Bitmap) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  package mutating func formUnion(_ other: Bitmap) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  package mutating func invert() {
    for index in words.indices { words[index] = ~words[index] }
    clearTail()
  }

  /// The first set bit; nil if there is none.
  var first: Int? {
    words.firstIndex { $0 != 0 }.map { $0 << 6 + words[$0].trailingZeroBitCount }
  }

  var isEmpty: Bool { first == nil }

  package var selectedCount: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The indices of the set bits.
  ///
  /// - Precondition: There are at most 2^32 bits.
  package var indices: [UInt32] {
    [UInt32](unsafeUninitializedCapacity: selectedCount) { indices, count in
      forEach(in: 0..<self.count) { index in
        indices[count] = UInt32(truncatingIfNeeded: index)
        count &+= 1
      }
    }
  }

  /// The bits from `index` up to the end of its word, or up to `end`. The first one is the lowest.
  @inline(__always)
  private func bits(from index: Int, before end: Int) -> UInt64 {
    let word = words[index >> 6] >> UInt64(index & 63)
    return (index | 63) < end ? word : word & ((1 << UInt64(end - index)) - 1)
  }

  package func count(in range: Range<Int>) -> Int {
    var count = 0
    var index = range.lowerBound
    while index < range.upperBound {
      count += bits(from: index, before: range.upperBound).nonzeroBitCount
      index = (index | 63) + 1
    }
    return count
  }

  /// The index of a set bit, counted from 0 among the set bits from `start` on.
  ///
  /// - Precondition: The bitmap has more than `number` set bits from `start` on.
  /// - Complexity: O(bits between / 64).
  func index(ofSetBit number: Int, from start: Int) -> Int {
    var wordIndex = start >> 6
    var word = words[wordIndex] & UInt64.max << UInt64(start & 63)
    var rest = number
    while rest >= word.nonzeroBitCount {
      rest -= word.nonzeroBitCount
      wordIndex += 1
      word = words[wordIndex]
    }
    return wordIndex << 6 + word.bit(ofRank: rest)
  }

  /// Calls `body` with the index of each set bit of `range`, in order.
  @inline(__always)
  package func forEach(in range: Range<Int>, _ body: (Int) -> Void) {
    var index = range.lowerBound
    while index < range.upperBound {
      var word = bits(from: index, before: range.upperBound)
      let first = index
      index = (index | 63) &+ 1
      if word == .max {
        for here in first..<index { body(here) }
        continue
      }
      while word != 0 {
        body(first &+ word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }
}

extension UInt64 {
  /// The number of the set bit that has `rank` lower set bits.
  func bit(ofRank rank: Int) -> Int {
    var word = self
    for _ in 0..<rank { word &= word &- 1 }
    return word.trailingZeroBitCount
  }
}
