package import Windowing

/// What a row of a layout says.
package struct StoredChunk {
  package let place: Positions.Chunk
  /// The size and kind of each item.
  package let packed: [PackedItem]
  /// Neighbouring items of a group, or of none; they add up to the count.
  package let runs: [(title: String?, count: Int)]

  /// - Throws: `.corrupt` where the row is none of ours.
  package init(_ row: LayoutRow) throws(CatalogueError) {
    guard 1...1_000_000 ~= row.count, row.position.magnitude <= 1 << 62, 1...(1 << 40) ~= row.step
    else { throw Self.damaged }
    packed = try Self.numbers(row.sizes, row.count, of: UInt64.self)
      .map { (bits: UInt64) in PackedItem(bits: bits) }
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

  /// The items as a strip has them.
  package func items(itemWidth: Length, kinds: Int) throws(CatalogueError) -> [StripItem] {
    var items: [StripItem] = []
    items.reserveCapacity(packed.count)
    for packed in packed {
      guard let item = packed.item(itemWidth: itemWidth, kinds: kinds) else { throw Self.damaged }
      items.append(item)
    }
    return items
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
    var rest = groups[...]
    func number() throws(CatalogueError) -> Int {
      guard rest.count >= 4 else { throw damaged }
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    while !rest.isEmpty {
      let (count, length) = (try number(), try number())
      guard length != UInt32.max else {
        runs.append((nil, count))
        continue
      }
      guard rest.count >= length,
        let title = String(validating: rest.prefix(length), as: UTF8.self)
      else { throw damaged }
      rest = rest.dropFirst(length)
      runs.append((title, count))
    }
    return runs
  }

  private static var damaged: CatalogueError { .corrupt("a row of the layout is damaged") }
}
