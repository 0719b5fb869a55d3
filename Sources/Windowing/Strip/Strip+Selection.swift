extension Strip {
  /// The items at these indices, which ascend. O(segments or leaves + indices).
  package func segments(at indices: [UInt32]) -> [ContiguousArray<PackedItem>] {
    precondition(
      indices.last.map { Int($0) < count } ?? true, "An index into a strip is within it.")
    var packer = StripPacker()
    var (start, done) = (0, 0)
    let indices = indices.span
    root?.visit(0..<count) { leaf, part in
      done = packer.append(leaf, part, startingAt: start, at: indices, from: done)
      start += part.count
      return done < indices.count
    }
    return packer.finish()
  }

  package func packedItem(at index: Int) -> PackedItem { PackedItem(self[index]) }

  /// The number of the kind of each item, in order. O(*n*).
  package func forEachKind(_ body: (Int) -> Void) {
    root?.visit(0..<count) { leaf, part in
      for item in leaf[part] { body(item.kind) }
      return true
    }
  }
}

/// Packs items into segments of ``Strip/segmentCapacity``.
package struct StripPacker {
  private var segments: [ContiguousArray<PackedItem>] = []
  /// The items of the next segment, and spare capacity.
  private var segment = Self.emptySegment
  private var count = 0

  package init() {}

  private static var emptySegment: ContiguousArray<PackedItem> {
    ContiguousArray(repeating: PackedItem(bits: 0), count: Strip.segmentCapacity)
  }

  @inline(__always)
  package mutating func append(_ item: PackedItem) {
    if count == Strip.segmentCapacity { flush() }
    segment[count] = item
    count &+= 1
  }

  /// Appends the items of a part of a leaf whose indices are in `indices`, from `indices[first]`
  /// on. Returns the offset in `indices` of the first index after the part.
  fileprivate mutating func append(
    _ leaf: Leaf, _ part: Range<Int>, startingAt start: Int, at indices: borrowing Span<UInt32>,
    from first: Int
  ) -> Int {
    let items = leaf.span
    let end = start + part.count
    let offset = part.lowerBound - start
    var next = first
    while next < indices.count, Int(indices[next]) < end {
      if count == Strip.segmentCapacity { flush() }
      var filled = count
      var free = segment.mutableSpan
      while filled < free.count, next < indices.count, Int(indices[next]) < end {
        free[filled] = items[Int(indices[next]) &+ offset]
        filled &+= 1
        next &+= 1
      }
      count = filled
    }
    return next
  }

  private mutating func flush() {
    segments.append(segment)
    segment = Self.emptySegment
    count = 0
  }

  /// All segments. The last one can be empty only if there are no items.
  package consuming func finish() -> [ContiguousArray<PackedItem>] {
    if count > 0 { segments.append(ContiguousArray(segment[..<count])) }
    return segments
  }
}
