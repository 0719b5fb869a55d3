import Catalogue
import GRDB

/// The kinds of one strip: a name that is new is written when an item first has it, and takes the
/// number of a kind that no item has any more where all numbers are taken. Former revisions keep
/// their names.
struct StoredKinds {
  private let db: Database
  private let strip: Int64
  private var table: KindTable

  init(_ db: Database, of strip: StripRow) throws {
    self.db = db
    self.strip = strip.number
    table = KindTable(names: try strip.kinds(db))
  }

  /// By number.
  var names: [String] { table.names }

  /// The number of this kind.
  ///
  /// - Parameter isFree: whether no item has the kind of a number; asked where 64 have come.
  /// - Throws: `.invalid` for a 65th.
  mutating func number(of name: String, isFree: (Int) -> Bool) throws -> Int {
    let known = names
    let number = try table.number(of: name, isFree: isFree)
    if number == known.count {
      try db.cachedStatement(sql: "INSERT INTO kind (strip, number, name) VALUES (?, ?, ?)")
        .execute(arguments: [strip, number, name])
    } else if known[number] != name {
      try db.cachedStatement(sql: "UPDATE kind SET name = ? WHERE strip = ? AND number = ?")
        .execute(arguments: [name, strip, number])
    }
    return number
  }

  /// Whether this kind has a number, or can be given one.
  func hasRoom(for name: String, isFree: (Int) -> Bool) -> Bool {
    table.hasRoom(for: name, isFree: isFree)
  }
}
