package import Windowing

/// Neighbouring chunks of a layout, which become a strip while they are read.
///
///     chunks   │ 1000 │ 1000 │ 1000 │ 1000 │ …     as they lie in the store's memory
///                 ↓ unpacked
///     a piece in the making, whose memory is used again and again
///                 ↓ copied once full
///     pieces   │ full        │ full        │ …     each with no more room than it needs
///
/// What is unpacked stays in the processor's nearest memory until it is copied.
///
/// - Complexity: O(*n*), some two nanoseconds an item; holds no more than the strip itself.
package struct LayoutPart {
  private let kinds: [String]
  private let itemWidth: UInt64
  private var positions = Positions()
  private var runs: [(title: String?, count: Int)] = []
  private var pieces: [ContiguousArray<PackedItem>] = []
  /// The bits of its items.
  private var making = ContiguousArray(repeating: UInt64(0), count: Strip.pieceCapacity)
  /// How many items of the piece in the making are there.
  private var made = 0
  package init(kinds: [String], itemWidth: Length) {
    self.kinds = kinds
    self.itemWidth = UInt64(itemWidth.units)
  }

  /// Appends a chunk.
  ///
  /// - Parameter sizes: as `LayoutRow` has them; not read any more afterwards.
  /// - Throws: `.corrupt` for items that none of ours could be.
  package mutating func append(
    _ frame: ChunkFrame, sizes: UnsafeRawBufferPointer
  ) throws(CatalogueError) {
    guard sizes.count == 8 * frame.place.count else { throw ChunkFrame.damaged }
    positions.append(frame.place)
    runs += frame.runs
    var check = StoredSize.Check(kinds: kinds.count)
    var rest = sizes
    while !rest.isEmpty {
      let count = min(making.count - made, rest.count / 8)
      unpack(UnsafeRawBufferPointer(rebasing: rest[..<(8 * count)]), count, &check)
      rest = UnsafeRawBufferPointer(rebasing: rest[(8 * count)...])
    }
    guard check.isSound else { throw ChunkFrame.damaged }
  }

  /// The strip, and where its items are.
  package mutating func finish() -> PlacedStrip {
    turn()
    var strip = Strip(kinds: kinds, pieces: pieces)
    strip.setGroups(runs)
    return PlacedStrip(strip, at: positions)
  }

  /// Unpacks items for which the piece in the making has room.
  private mutating func unpack(
    _ sizes: UnsafeRawBufferPointer, _ count: Int, _ check: inout StoredSize.Check
  ) {
    let (itemWidth, start) = (itemWidth, made)
    var found = check
    making.withUnsafeMutableBufferPointer { items in
      let items = UnsafeMutableBufferPointer(rebasing: items[start..<start + count])
      // Counted so, it has no way out but the last: the compiler makes it of vectors.
      var place = 0
      while place < items.count {
        let size = StoredSize(at: place, of: sizes)
        found.add(size)
        items[place] = size.packed(itemWidth: itemWidth)
        place &+= 1
      }
    }
    check = found
    made += count
    if made == making.count { turn() }
  }

  /// Copies the piece in the making, if there is one, and begins the next in the same memory.
  private mutating func turn() {
    guard made > 0 else { return }
    pieces.append(
      making.withUnsafeBytes { bits in
        // A packed item is its bits and nothing else.
        ContiguousArray(bits.assumingMemoryBound(to: PackedItem.self)[..<made])
      })
    made = 0
  }
}

extension LayoutPart {
  /// Appends a chunk that was read before.
  mutating func append(_ chunk: StoredChunk) throws(CatalogueError) {
    do {
      try chunk.bytes.withUnsafeBytes { try append(chunk.frame, sizes: $0) }
    } catch let error as CatalogueError {
      throw error
    } catch {
      preconditionFailure("A part throws nothing else: \(error)")
    }
  }
}
