// Changes as a store keeps them; numbers are little-endian:
//
//     count, titles            4 bytes each
//     titles x                 length (4 bytes) and UTF-8 of a group's title
//     count x                  position (8 bytes)
//     count x                  the packed item before (8 bytes; all ones for nothing)
//     count x                  the packed item after
//     count x, with titles     the groups before and after (4 bytes each): 0 for none, else the
//                              place of a title, counted from 1
extension LayoutChanges {
  /// - Complexity: O(*k*).
  package var bytes: [UInt8] {
    var titles: [String] = []
    var places: [[UInt8]: UInt32] = [:]
    func place(of group: String?) -> UInt32 {
      guard let group else { return 0 }
      if let place = places[Array(group.utf8)] { return place }
      titles.append(group)
      places[Array(group.utf8)] = UInt32(titles.count)
      return UInt32(titles.count)
    }
    var groups: [UInt32] = []
    for change in 0..<count {
      groups.append(place(of: self[change].before?.group))
      groups.append(place(of: self[change].after?.group))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + 32 * count)
    bytes.append(UInt32(count))
    bytes.append(UInt32(titles.count))
    for title in titles {
      bytes.append(UInt32(title.utf8.count))
      bytes += title.utf8
    }
    for change in 0..<count { bytes.append(UInt64(bitPattern: self[change].position)) }
    for change in 0..<count { bytes.append(self[change].before?.item.bits ?? .max) }
    for change in 0..<count { bytes.append(self[change].after?.item.bits ?? .max) }
    if !titles.isEmpty { for group in groups { bytes.append(group) } }
    return bytes
  }

  /// - Throws: `.corrupt` for what is none of ours.
  package init(bytes: [UInt8]) throws(CatalogueError) {
    var reader = ReadToken(bytes: bytes)
    let count = try reader.number(UInt32.self)
    let titleCount = try reader.number(UInt32.self)
    var titles: [String?] = [nil]
    for _ in 0..<titleCount { titles.append(try reader.text()) }
    let positions = try reader.numbers(UInt64.self, Int(count))
    let before = try reader.numbers(UInt64.self, Int(count))
    let after = try reader.numbers(UInt64.self, Int(count))
    let groups = titleCount > 0 ? try reader.numbers(UInt32.self, 2 * Int(count)) : []
    func state(_ bits: UInt64, _ group: Int) throws(CatalogueError) -> LayoutChange.State? {
      guard bits != .max else { return nil }
      let title = groups.isEmpty ? 0 : Int(groups[group])
      guard title < titles.count else { throw ReadToken.damaged }
      return LayoutChange.State(StoredSize(bits: bits), group: titles[title])
    }
    var changes: [LayoutChange] = []
    changes.reserveCapacity(Int(count))
    for place in 0..<Int(count) {
      let position = Int64(bitPattern: positions[place])
      guard position.magnitude <= 1 << 62, place == 0 || changes[place - 1].position < position
      else { throw ReadToken.damaged }
      changes.append(
        LayoutChange(
          position: position, before: try state(before[place], 2 * place),
          after: try state(after[place], 2 * place + 1)))
    }
    guard reader.isAtEnd else { throw ReadToken.damaged }
    self.init(sorted: changes)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

/// Takes numbers and text off the front of bytes.
private struct ReadToken {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  static var damaged: CatalogueError { .corrupt("a row of changes is damaged") }

  var isAtEnd: Bool { place == bytes.count }

  mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(CatalogueError) -> Number {
    try numbers(type, 1)[0]
  }

  mutating func numbers<Number: FixedWidthInteger>(
    _ type: Number.Type, _ count: Int
  ) throws(CatalogueError) -> [Number] {
    let size = MemoryLayout<Number>.size
    guard count <= (bytes.count - place) / size else { throw Self.damaged }
    defer { place += size * count }
    return bytes.withUnsafeBytes { bytes in
      (0..<count).map {
        Number(
          littleEndian: bytes.loadUnaligned(fromByteOffset: place + size * $0, as: Number.self))
      }
    }
  }

  mutating func text() throws(CatalogueError) -> String {
    let length = Int(try number(UInt32.self))
    guard length <= bytes.count - place,
      let text = String(validating: bytes[place..<place + length], as: UTF8.self)
    else { throw Self.damaged }
    place += length
    return text
  }
}
