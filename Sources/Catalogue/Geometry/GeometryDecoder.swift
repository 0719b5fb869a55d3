package import Items
import Views
package import Windowing

/// Makes a strip of the chunks of its geometry, one after the other, while they are read.
///
///     chunks   │ 1000 │ 1000 │ 1000 │ 1000 │ …     in the database's memory
///                 ↓ unpack
///     buffer     │ 2304        │                     one segment, reused
///                 ↓ copy when full
///     segments   │ 2304        │ 2304        │ …     with no spare capacity
///
/// The buffer stays in the processor's first-level cache. An item takes about two nanoseconds.
package struct GeometryDecoder {
  private let kinds: [String]
  private let itemWidth: UInt64
  private var sortKeys = SortKeys()
  private var runs: [(title: String?, count: Int)] = []
  private var segments: [ContiguousArray<PackedItem>] = []
  /// The bits of the items of the next segment.
  private var buffer = ContiguousArray(repeating: UInt64(0), count: Strip.segmentCapacity)
  private var bufferedCount = 0

  package init(kinds: [String], itemWidth: Length) {
    self.kinds = kinds
    self.itemWidth = UInt64(itemWidth.units)
  }

  /// - Parameter sizes: as in `GeometryChunk.Columns`; valid during the call.
  /// - Throws: `.corrupt` if a size is out of range.
  package mutating func append(
    _ decoded: GeometryChunk.DecodedColumns, sizes: UnsafeRawBufferPointer
  ) throws(CatalogueError) {
    guard sizes.count == 8 * decoded.sortKeys.count else {
      throw GeometryChunk.DecodedColumns.damaged
    }
    sortKeys.append(decoded.sortKeys)
    runs += decoded.runs
    var check = PackedSizeAndKind.Check(kinds: kinds.count)
    var rest = sizes
    while !rest.isEmpty {
      let count = min(buffer.count - bufferedCount, rest.count / 8)
      unpack(UnsafeRawBufferPointer(rebasing: rest[..<(8 * count)]), count, &check)
      rest = UnsafeRawBufferPointer(rebasing: rest[(8 * count)...])
    }
    guard check.isValid else { throw GeometryChunk.DecodedColumns.damaged }
  }

  package mutating func finish() -> IndexedStrip {
    flush()
    var strip = Strip(kinds: kinds, segments: segments)
    strip.setGroups(runs)
    return IndexedStrip(strip, at: sortKeys)
  }

  /// Unpacks items for which the buffer has room.
  private mutating func unpack(
    _ sizes: UnsafeRawBufferPointer, _ count: Int, _ check: inout PackedSizeAndKind.Check
  ) {
    let (itemWidth, start) = (itemWidth, bufferedCount)
    var found = check
    buffer.withUnsafeMutableBufferPointer { items in
      let items = UnsafeMutableBufferPointer(rebasing: items[start..<start + count])
      // The loop has a single exit, so that the compiler vectorizes it.
      var index = 0
      while index < items.count {
        let size = PackedSizeAndKind(at: index, of: sizes)
        found.add(size)
        items[index] = size.packed(itemWidth: itemWidth)
        index &+= 1
      }
    }
    check = found
    bufferedCount += count
    if bufferedCount == buffer.count { flush() }
  }

  private mutating func flush() {
    guard bufferedCount > 0 else { return }
    segments.append(
      buffer.withUnsafeBytes { bits in
        // A `PackedItem` has no other stored property than its bits.
        ContiguousArray(bits.assumingMemoryBound(to: PackedItem.self)[..<bufferedCount])
      })
    bufferedCount = 0
  }
}
