import GRDB
import Items

/// The kinds of one strip: a name that is new is written when an item first has it.
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
  /// - Throws: `.invalid` for a 65th.
  mutating func number(of name: String) throws -> Int {
    let known = names.count
    let number = try table.number(of: name)
    if number == known {
      try db.cachedStatement(sql: "INSERT INTO kind (strip, number, name) VALUES (?, ?, ?)")
        .execute(arguments: [strip, number, name])
    }
    return number
  }
}
