/// What a row of a layout says beside the sizes of its items: where they are, and their groups.
package struct ChunkFrame: Sendable {
  package let place: Positions.Chunk
  /// Neighbouring items of a group, or of none; they add up to the count.
  package let runs: [(title: String?, count: Int)]

  /// Takes the columns of a row, as `LayoutRow` has them.
  ///
  /// - Throws: `.corrupt` where the row is none of ours.
  package init(
    position: Int64, count: Int, step: Int64, groups: [UInt8]?, positions: [UInt8]?
  ) throws(CatalogueError) {
    guard 1...1_000_000 ~= count, position.magnitude <= 1 << 62, 1...(1 << 40) ~= step
    else { throw Self.damaged }
    if let bytes = positions {
      let positions = try Self.numbers(bytes, count, of: Int64.self)
      guard positions[0] == position,
        zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 })
      else { throw Self.damaged }
      place = Positions.Chunk(count: count, first: position, spacing: .each(positions))
    } else {
      place = Positions.Chunk(count: count, first: position, spacing: .even(step))
    }
    runs =
      try groups.map { groups throws(CatalogueError) in try Self.runs(groups) } ?? [(nil, count)]
    guard runs.reduce(0, { $0 + $1.count }) == count else { throw Self.damaged }
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
    let bytes = groups.span
    var place = 0
    func number() throws(CatalogueError) -> Int {
      guard bytes.count - place >= 4 else { throw damaged }
      defer { place += 4 }
      return Int(
        UInt32(
          littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self)))
    }
    while place < bytes.count {
      let (count, length) = (try number(), try number())
      guard length != UInt32.max else {
        runs.append((nil, count))
        continue
      }
      guard bytes.count - place >= length,
        let title = try? UTF8Span(validating: bytes.extracting(place..<place + length))
      else { throw damaged }
      place += length
      runs.append((String(copying: title), count))
    }
    return runs
  }

  static var damaged: CatalogueError { .corrupt("a row of the layout is damaged") }
}
