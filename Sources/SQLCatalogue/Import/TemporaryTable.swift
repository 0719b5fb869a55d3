import Catalogue
import Items
import Views

/// A temporary table of items that an import inserts later.
package final class TemporaryTable {
  private let session: any SQLSession
  private var exists = false
  private var isEmpty = true

  package init(_ session: any SQLSession) { self.session = session }

  func append(_ items: [(number: Int, item: Item)]) throws {
    guard !items.isEmpty else { return }
    if !exists {
      try session.runScript(session.dialect.makeTemporaryTable)
      exists = true
    }
    isEmpty = false
    for batch in items.batches(of: 1000) {
      let count = try session.run(
        "INSERT INTO staged (number, id, item) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
        forEach: batch.map { [.integer($0.number), .text($0.item.id), .bytes($0.item.json)] })
      guard count == batch.count else { throw CatalogueError.idExists(batch[0].item.id) }
    }
  }

  func contains(_ id: String) throws -> Bool {
    guard !isEmpty else { return false }
    return try session.first("SELECT number FROM staged WHERE id = $1", [.text(id)]) { _ in true }
      ?? false
  }

  func items(at numbers: [Int]) throws -> [Item] {
    var items: [Item] = []
    try session.run(
      "SELECT item FROM staged WHERE number = $1", forEach: numbers.map { [.integer($0)] }
    ) { _, row in items.append(try Item(json: row.bytes(0))) }
    precondition(items.count == numbers.count, "Only items that were staged are asked for.")
    return items
  }

  func removeAll() throws {
    guard !isEmpty else { return }
    try session.run("DELETE FROM staged")
    isEmpty = true
  }
}
