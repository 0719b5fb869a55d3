import Catalogue
import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views
import Windowing

struct GeometryDecoderTests {
  private static let itemWidth = Length.px(160)

  /// The smallest and largest sizes, and some between.
  private func sizes(_ count: Int, _ random: inout SeededRandom) -> [(PackedSizeAndKind, StripItem)]
  {
    let aspects: [UInt32?] = [nil, 0, 1, 65_536, 1000 * 65_536]
    let widths: [Int64?] = [nil, 0, 1, 6400, 6_400_000]
    return (0..<count).map { _ in
      let aspect = aspects[Int.random(in: 0...4, using: &random)].map(Aspect.init(units:))
      let width = widths[Int.random(in: 0...4, using: &random)].map(Length.init(units:))
      let kind = Int.random(in: 0...63, using: &random)
      let fixed = aspect == nil && width == nil ? Self.itemWidth : width
      return (
        PackedSizeAndKind(aspect: aspect, width: width, kind: kind),
        StripItem(
          size: ItemSize(aspect: aspect ?? .zero, width: fixed ?? .zero), kind: Kind(number: kind))
      )
    }
  }

  private func bytes(_ sizes: [PackedSizeAndKind]) -> [UInt8] {
    sizes.flatMap { size in withUnsafeBytes(of: size.bits.littleEndian) { Array($0) } }
  }

  @Test(arguments: [1, 7, 2303, 2304, 2305, 9000])
  func `a decoder gives the items of its chunks`(count: Int) throws {
    var random = SeededRandom(seed: UInt64(count))
    let all = sizes(count, &random)
    var decoder = GeometryDecoder(kinds: (0..<64).map { "k\($0)" }, itemWidth: Self.itemWidth)
    var start = 0
    while start < count {
      let end = min(count, start + Int.random(in: 1...3000, using: &random))
      try bytes(all[start..<end].map(\.0)).withUnsafeBytes { bytes in
        let decoded = try GeometryChunk.DecodedColumns(
          sortKey: Int64(start + 1), count: end - start, step: 1, groups: nil, sortKeys: nil)
        try decoder.append(decoded, sizes: bytes)
      }
      start = end
    }
    let placed = decoder.finish()
    #expect(Array(placed.strip.items(0..<count)) == all.map(\.1))
    #expect(placed.sortKeys[0..<count] == (1...Int64(count)).map(\.self))
  }

  @Test(arguments: [1000 << 16 + 2 as UInt64, 6_400_002 << 27, 2 << 51, 1 << 63])
  func `a size out of range is an error`(bits: UInt64) throws {
    var decoder = GeometryDecoder(kinds: ["a", "b"], itemWidth: Self.itemWidth)
    let decoded = try GeometryChunk.DecodedColumns(
      sortKey: 1, count: 3, step: 1, groups: nil, sortKeys: nil)
    let sound = PackedSizeAndKind(aspect: nil, width: .px(9), kind: 1)
    let damaged = bytes([sound, sound, PackedSizeAndKind(bits: bits)])
    #expect(throws: CatalogueError.self) {
      try damaged.withUnsafeBytes { try decoder.append(decoded, sizes: $0) }
    }
  }
}
