import Catalogue

extension Session {
  /// Those of the items of these ids that a strip has, each with its position: none has an id with a
  /// NUL, which PostgreSQL does not take for text.
  ///
  /// - Parameter kinds: the names of the strip's kinds, by number.
  func items(
    of ids: [String], in strip: StripRow, kinds: [String]
  ) throws -> [(position: Int64, item: Item)] {
    try run(
      """
      SELECT position, id, fields, kind, aspect, width, "group" FROM item
      WHERE strip = $1 AND id = ANY($2)
      """, [.integer(strip.number), .texts(ids.filter { !$0.utf8.contains(0) })]
    ).map { (try StoredItem.position($0), try StoredItem.item($0, kinds: kinds)) }
  }

  /// The items at these positions, by position.
  func items(
    at positions: [Int64], in strip: StripRow, kinds: [String]
  ) throws -> [Int64: Item] {
    guard !positions.isEmpty else { return [:] }
    let found = try run(
      """
      SELECT position, id, fields, kind, aspect, width, "group" FROM item
      WHERE strip = $1 AND position = ANY($2)
      """, [.integer(strip.number), .integers(positions)]
    ).map { (try StoredItem.position($0), try StoredItem.item($0, kinds: kinds)) }
    return Dictionary(uniqueKeysWithValues: found)
  }

  /// The position of the item of this id.
  func position(of id: String, in strip: StripRow) throws -> Int64? {
    try run(
      "SELECT position FROM item WHERE strip = $1 AND id = $2",
      [.integer(strip.number), .text(id)]
    ).first { try $0.integer(0) }
  }

  /// Writes the names of kinds that a strip has come to have, by number.
  func write(_ kinds: [String], to strip: StripRow) throws {
    for number in try newKinds(kinds, of: strip) {
      try run(
        "INSERT INTO kind (strip, number, name) VALUES ($1, $2::bigint, $3)",
        [.integer(strip.number), .integer(Int64(number)), .text(kinds[number])])
    }
  }

  /// The numbers of the kinds whose names are to be written; what other kinds had them is deleted.
  func newKinds(_ kinds: [String], of strip: StripRow) throws -> [Int] {
    let given = zip(kinds, strip.kinds).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    if !given.isEmpty {
      try run(
        "DELETE FROM kind WHERE strip = $1 AND number = ANY($2::bigint[])",
        [.integer(strip.number), .integers(given.map { Int64($0) })])
    }
    return given + (strip.kinds.count..<kinds.count)
  }
}
