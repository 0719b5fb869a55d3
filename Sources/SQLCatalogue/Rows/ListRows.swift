import Cryptography
import Items

/// The stored lists. A list belongs to the name of a strip, and outlives the items.
enum ListRows {
  /// In microseconds. A use is not recorded until this time has passed since the last recorded use.
  static let usePrecision: Int64 = 86_400_000_000

  /// Stores a list. If the list exists, records a use, or replaces damaged ids. Returns whether it has written the ids.
  static func store(
    _ list: ItemList, of strip: String, _ session: any SQLSession
  ) throws -> Bool {
    let count = try session.run(
      """
      INSERT INTO list (strip, name, ids, used) VALUES ($1, $2, $3, $4)
      ON CONFLICT (strip, name) DO UPDATE SET ids = excluded.ids, used = excluded.used
        WHERE list.ids <> excluded.ids
      """, [.text(strip), .text(list.name), .bytes(list.json), .integer(try session.clock())])
    if count == 0 { try recordUse(of: list.name, of: strip, session) }
    return count > 0
  }

  static func fetch(
    _ name: String, of strip: String, _ session: any SQLSession
  ) throws -> (list: ItemList, mustRecordUse: Bool)? {
    let found = try session.first(
      "SELECT ids, used FROM list WHERE strip = $1 AND name = $2", [.text(strip), .text(name)]
    ) { (json: try $0.bytes(0), used: try $0.integer(1)) }
    guard let found else { return nil }
    let mustRecordUse = try session.clock() - found.used > usePrecision
    return try withCorruptionContext("the list \"\(name)\"", of: strip) {
      let list = try ItemList(json: found.json)
      guard list.name == name else { throw CatalogueError.corrupt("its ids are those of another") }
      return (list, mustRecordUse)
    }
  }

  static func recordUse(of name: String, of strip: String, _ session: any SQLSession) throws {
    try session.run(
      "UPDATE list SET used = $3 WHERE strip = $1 AND name = $2",
      [.text(strip), .text(name), .integer(try session.clock())])
  }
}
