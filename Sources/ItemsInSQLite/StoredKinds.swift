import GRDB
import Items

/// The kinds of one strip: a name that is new is written when an item first has it, and takes the
/// number of a kind that no item has any more where all numbers are taken.
struct StoredKinds {
  private let db: Database
  private let strip: StripRow
  private var table: KindTable

  init(_ db: Database, of strip: StripRow) throws {
    self.db = db
    self.strip = strip
    table = KindTable(names: try strip.kinds(db))
  }

  /// By number.
  var names: [String] { table.names }

  /// The number of this kind.
  ///
  /// - Parameters:
  ///   - changes: what has become of the layout since the strip's row was read.
  ///   - position: where an item gives way to the one of this kind.
  /// - Throws: `.invalid` for a 65th.
  /// - Complexity: O(1); for a new kind where 64 have been, O(*n*).
  mutating func number(
    of name: String, after changes: [Int64: LayoutChange], at position: Int64? = nil
  ) throws -> Int {
    let known = names.count
    if known == KindName.maximumCount, !names.contains(name),
      let free = try freeNumber(after: changes, at: position)
    {
      try db.cachedStatement(sql: "UPDATE kind SET name = ? WHERE strip = ? AND number = ?")
        .execute(arguments: [name, strip.number, free])
      var names = names
      names[free] = name
      table = KindTable(names: names)
      return free
    }
    let number = try table.number(of: name)
    if number == known {
      try db.cachedStatement(sql: "INSERT INTO kind (strip, number, name) VALUES (?, ?, ?)")
        .execute(arguments: [strip.number, number, name])
    }
    return number
  }

  /// The least number that no item has; nil where there is none. Former revisions keep their names.
  private func freeNumber(after changes: [Int64: LayoutChange], at position: Int64?) throws -> Int?
  {
    let unfolded = try strip.steps(after: strip.folded, upTo: strip.revision, db).forward
    var touched = Dictionary(
      uniqueKeysWithValues: (0..<unfolded.count).map { (unfolded[$0].position, unfolded[$0]) })
    touched.merge(changes) { _, later in later }
    if let position {
      touched[position] = LayoutChange(position: position, before: nil, after: nil)
    }
    var free = Set(names.indices)
    for change in touched.values { change.after.map { _ = free.remove($0.item.kind) } }
    let chunks = try LayoutRows(db, strip: strip.number).all()
    while let chunk = try chunks() {
      for (item, position) in zip(chunk.sizes, chunk.place.positions)
      where free.contains(item.kind) && touched[position] == nil {
        free.remove(item.kind)
      }
    }
    return free.min()
  }
}
