import Catalogue
import Items
import SQLCatalogue
import Windowing

/// Writes rows with `COPY`, in buffers of about 1 MB. The rows of many small strips go together.
final class PostgresBulkWriter: SQLBulkWriter {
  private let session: PostgresSession
  private var items = CopyEncoder()
  private var chunks = CopyEncoder()
  /// The ids of each strip between its `begin` and `end`.
  private var ids: [Int64: StripIDs] = [:]

  /// In bytes.
  private static let bufferSize = 1 << 20

  init(_ session: PostgresSession) { self.session = session }

  func begin(strip: Int64, count: Int) throws {
    // The ids of a strip with items are looked up in its table.
    if count > 0 { try flush() }
    ids[strip] = StripIDs(session, of: strip, count: count)
  }

  func end(strip: Int64) { ids[strip] = nil }

  func insert(_ row: ItemRow) throws -> Bool {
    let (id, strip) = (row.item.id, row.strip)
    if try ids[strip]?.mayContain(id) == true {
      try flush()
      if try ids[strip]?.contains(id) == true { return false }
    }
    ids[strip]?.insert(id)
    items.appendRow(row.values)
    if items.bytes.count > Self.bufferSize { try flush() }
    return true
  }

  func insert(_ chunk: GeometryChunk.Columns, generation: Int64) throws {
    chunks.appendRow(GeometryChunkStore.values(of: chunk, generation: generation))
    if chunks.bytes.count > Self.bufferSize { try flush() }
  }

  func flush() throws {
    try session.copy(
      &items, "COPY item (strip, \(ItemRows.columnList)) FROM STDIN (FORMAT binary)")
    try session.copy(
      &chunks, "COPY layout (\(GeometryChunkStore.columnList)) FROM STDIN (FORMAT binary)")
  }
}

/// The ids of a strip, to find repeated ones. Ids that the strip had before the import are looked up one by one. After many
/// lookups, all of them are read.
///
/// - Complexity: O(*k*) for *k* imported items, some ten bytes each.
private struct StripIDs {
  private let session: PostgresSession
  private let strip: Int64
  /// The number of items before the import.
  private let count: Int
  /// The hashes of the ids, some 16 bytes for each.
  private var seen: Set<Int> = []
  /// Nil once all ids are read.
  private var lookupCount: Int?

  /// The number of ids that are read in the time of one lookup.
  private static let readCount = 50

  init(_ session: PostgresSession, of strip: Int64, count: Int) {
    self.session = session
    self.strip = strip
    self.count = count
    lookupCount = count > 0 ? 0 : nil
  }

  mutating func insert(_ id: String) { seen.insert(id.hashValue) }

  mutating func mayContain(_ id: String) throws -> Bool {
    if seen.contains(id.hashValue) { return true }
    guard let lookups = lookupCount else { return false }
    guard lookups * Self.readCount < count else {
      try readAll()
      return seen.contains(id.hashValue)
    }
    lookupCount = lookups + 1
    return try contains(id)
  }

  func contains(_ id: String) throws -> Bool {
    try session.first(
      "SELECT sort_key FROM item WHERE strip = $1 AND id = $2", [.integer(strip), .text(id)]
    ) { _ in true } ?? false
  }

  private mutating func readAll() throws {
    lookupCount = nil
    var last = ""
    while true {
      let ids = try session.map(
        "SELECT id FROM item WHERE strip = $1 AND id > $2 ORDER BY id LIMIT 10000",
        [.integer(strip), .text(last)]
      ) { try $0.text(0) }
      for id in ids { insert(id) }
      guard let next = ids.last else { return }
      last = next
    }
  }
}
