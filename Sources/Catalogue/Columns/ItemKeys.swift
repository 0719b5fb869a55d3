/// Numbers that name the items of an edition. An item keeps its key in other editions unless an edit moves it.
/// Keys ascend with the index.
package enum ItemKeys: Sendable {
  /// The items of a strip that never changes: the key of an item is its index.
  case indices(count: Int)
  /// The items of a stored strip: the key of an item is its position in the table.
  case positions(OrderKeys)

  /// The number of items.
  package var count: Int {
    switch self {
    case .indices(let count): count
    case .positions(let positions): positions.count
    }
  }

  package subscript(index: Int) -> Int64 {
    switch self {
    case .indices: Int64(index)
    case .positions(let positions): positions[index]
    }
  }

  /// The keys of the items in `range`, in order.
  package subscript(range: Range<Int>) -> [Int64] {
    switch self {
    case .indices: range.map { Int64($0) }
    case .positions(let positions): positions[range]
    }
  }

  /// The index of an item; nil if the edition does not have it.
  package func index(of key: Int64) -> Int? {
    switch self {
    case .indices(let count): 0..<Int64(count) ~= key ? Int(key) : nil
    case .positions(let positions): positions.index(of: key)
    }
  }

  /// The number of items with a smaller key.
  package func count(before key: Int64) -> Int {
    switch self {
    case .indices(let count): Int(min(max(0, key), Int64(count)))
    case .positions(let positions): positions.count(before: key)
    }
  }

  /// Calls `body` with the keys of the items whose bits are set, in order. O(*n* / 64 + selected items).
  @inline(__always)
  package func forEach(where bits: Bitmap, _ body: (Int64) -> Void) {
    switch self {
    case .indices: bits.forEach(in: 0..<bits.count) { body(Int64($0)) }
    case .positions(let positions):
      for page in positions.pages {
        for placed in page.chunks {
          let start = page.index + placed.index
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
}
