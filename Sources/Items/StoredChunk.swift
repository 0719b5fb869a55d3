package import Windowing

/// What a row of a layout says.
package struct StoredChunk: Sendable {
  package let place: Positions.Chunk
  /// The packed items, as `LayoutRow` has them: who reads on leaves it to others to unpack them.
  private let bytes: [UInt8]
  /// Neighbouring items of a group, or of none; they add up to the count.
  package let runs: [(title: String?, count: Int)]

  /// - Throws: `.corrupt` where the row is none of ours.
  package init(_ row: LayoutRow) throws(CatalogueError) {
    guard 1...1_000_000 ~= row.count, row.position.magnitude <= 1 << 62, 1...(1 << 40) ~= row.step
    else { throw Self.damaged }
    guard row.sizes.count == 8 * row.count else { throw Self.damaged }
    bytes = row.sizes
    if let bytes = row.positions {
      let positions = try Self.numbers(bytes, row.count, of: Int64.self)
      guard positions[0] == row.position,
        zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 })
      else { throw Self.damaged }
      place = Positions.Chunk(count: row.count, first: row.position, spacing: .each(positions))
    } else {
      place = Positions.Chunk(count: row.count, first: row.position, spacing: .even(row.step))
    }
    runs =
      try row.groups.map { groups throws(CatalogueError) in try Self.runs(groups) }
      ?? [(nil, row.count)]
    guard runs.reduce(0, { $0 + $1.count }) == row.count else { throw Self.damaged }
  }

  /// The group of each item.
  package var groups: [String?] { runs.flatMap { repeatElement($0.title, count: $0.count) } }

  /// The size and kind of each item.
  package var sizes: [StoredSize] {
    bytes.withUnsafeBytes { bytes in (0..<place.count).map { Self.size($0, of: bytes) } }
  }

  /// The items as a strip has them.
  package func items(itemWidth: Length, kinds: Int) throws(CatalogueError) -> [StripItem] {
    let items = bytes.withUnsafeBytes { bytes in
      [StripItem](unsafeUninitializedCapacity: place.count) { items, count in
        while count < place.count,
          let item = Self.size(count, of: bytes).item(itemWidth: itemWidth, kinds: kinds)
        {
          items.initializeElement(at: count, to: item)
          count += 1
        }
      }
    }
    guard items.count == place.count else { throw Self.damaged }
    return items
  }

  /// The items as a strip keeps them.
  ///
  /// - Throws: `.corrupt` for items that none of ours could be.
  func packed(
    itemWidth: Length, kinds: Int
  ) throws(CatalogueError) -> ContiguousArray<PackedItem> {
    var check = StoredSize.Check(kinds: kinds)
    let items = bytes.withUnsafeBytes { bytes in
      ContiguousArray<PackedItem>(unsafeUninitializedCapacity: place.count) { items, count in
        while count < place.count {
          let item = Self.size(count, of: bytes)
          check.add(item)
          items.initializeElement(at: count, to: item.packed(itemWidth: itemWidth))
          count += 1
        }
      }
    }
    guard check.isSound else { throw Self.damaged }
    return items
  }

  private static func size(_ place: Int, of bytes: UnsafeRawBufferPointer) -> StoredSize {
    StoredSize(
      bits: UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)))
  }

  private static func numbers<Number: FixedWidthInteger>(
    _ bytes: [UInt8], _ count: Int, of type: Number.Type
  ) throws(CatalogueError) -> [Number] {
    let size = MemoryLayout<Number>.size
    guard bytes.count == size * count else { throw damaged }
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: size * $0, as: Number.self))
      }
    }
  }

  private static func runs(
    _ groups: [UInt8]
  ) throws(CatalogueError) -> [(title: String?, count: Int)] {
    var runs: [(title: String?, count: Int)] = []
    var place = 0
    func number() throws(CatalogueError) -> Int {
      guard groups.count - place >= 4 else { throw damaged }
      defer { place += 4 }
      return groups.withUnsafeBytes {
        Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
      }
    }
    while place < groups.count {
      let (count, length) = (try number(), try number())
      guard length != UInt32.max else {
        runs.append((nil, count))
        continue
      }
      guard groups.count - place >= length,
        let title = String(validating: groups[place..<place + length], as: UTF8.self)
      else { throw damaged }
      place += length
      runs.append((title, count))
    }
    return runs
  }

  private static var damaged: CatalogueError { .corrupt("a row of the layout is damaged") }
}
