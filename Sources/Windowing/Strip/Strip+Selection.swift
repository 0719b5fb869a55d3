extension Strip {
  /// The items whose bits are set, in order, in pieces as `init(kinds:pieces:)` takes them.
  ///
  /// - Parameter bits: One bit for each item, the lowest bit of a word first.
  /// - Precondition: `bits` has a bit for each item.
  /// - Complexity: O(*n* / 64 + selected items).
  package func pieces(where bits: [UInt64]) -> [ContiguousArray<PackedItem>] {
    precondition(bits.count * 64 >= count, "A selection has a bit for each item.")
    var packer = StripPacker()
    var start = 0
    let bits = bits.span
    root?.visit(0..<count) { leaf, part in
      packer.append(leaf, part, startingAt: start, where: bits)
      start += part.count
      return true
    }
    return packer.finish()
  }

  /// The item at `index`, packed. O(log *n*).
  ///
  /// - Precondition: `index` is in 0 ..< count.
  package func packedItem(at index: Int) -> PackedItem { PackedItem(self[index]) }

  /// The number of the kind of each item, in order. O(*n*).
  package func forEachKind(_ body: (Int) -> Void) {
    root?.visit(0..<count) { leaf, part in
      for item in leaf[part] { body(item.kind) }
      return true
    }
  }
}

/// Packs items into pieces of ``Strip/pieceCapacity``.
package struct StripPacker {
  private var pieces: [ContiguousArray<PackedItem>] = []
  private var piece = ContiguousArray<PackedItem>()

  package init() { piece.reserveCapacity(Strip.pieceCapacity) }

  @inline(__always)
  package mutating func append(_ item: PackedItem) {
    if piece.count == Strip.pieceCapacity { flush() }
    piece.append(item)
  }

  fileprivate mutating func append(
    _ leaf: Leaf, _ part: Range<Int>, startingAt start: Int, where bits: borrowing Span<UInt64>
  ) {
    let items = leaf.span
    let end = start + part.count
    var index = start
    while index < end {
      var word = bits[index >> 6] >> UInt64(index & 63)
      var here = index
      index = (index | 63) + 1
      if index > end { word &= (1 << UInt64(end - here)) - 1 }
      while word != 0 {
        let skipped = word.trailingZeroBitCount
        here += skipped
        append(items[part.lowerBound + here - start])
        // Two shifts, because a shift by 64 would be needed at the last bit.
        word = (word >> UInt64(skipped)) >> 1
        here += 1
      }
    }
  }

  private mutating func flush() {
    pieces.append(piece)
    piece = []
    piece.reserveCapacity(Strip.pieceCapacity)
  }

  /// All pieces. The last one can be empty only if there are no items.
  package consuming func finish() -> [ContiguousArray<PackedItem>] {
    if !piece.isEmpty { pieces.append(ContiguousArray(piece)) }
    return pieces
  }
}
