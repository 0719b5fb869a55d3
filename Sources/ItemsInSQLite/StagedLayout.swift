import GRDB
import Items

/// The chunks of a strip's layout that a change has touched, taken apart, and put together again at
/// the end.
///
/// A chunk holds the positions from its own first up to the next chunk's, the first chunk also all
/// before it. That stays so until the end, whatever is put in or taken out, because it is asked of
/// the table, which changes only then.
struct StagedLayout {
  /// An item as the layout has it.
  struct Entry {
    let position: Int64
    let packed: PackedItem
    let group: String?
  }

  private struct Chunk {
    var entries: [Entry]
    var isChanged = false
    /// Whether the table has a row for it.
    let isStored: Bool
  }

  private let db: Database
  private let strip: Int64
  /// By how much the sums over the strip's items have changed.
  private(set) var difference = StripTotals()
  /// By the first position that each has in the table.
  private var chunks: [Int64: Chunk] = [:]

  init(_ db: Database, strip: Int64) {
    self.db = db
    self.strip = strip
  }

  /// The position of the item before `position`, of the last one without.
  mutating func position(before position: Int64?) throws -> Int64? {
    var key = try key(holding: position ?? .max)
    while let present = key {
      let entries = try load(present).entries
      let place = position.map { entries.place(of: $0) } ?? entries.count
      if place > 0 { return entries[place - 1].position }
      key = try self.key("max(position)", "position < ?", present)
    }
    return nil
  }

  /// The position of the item after `position`, of the first one without.
  mutating func position(after position: Int64?) throws -> Int64? {
    var key = try key(holding: position ?? .min)
    while let present = key {
      let entries = try load(present).entries
      let place = position.map { entries.place(of: $0 + 1) } ?? 0
      if place < entries.count { return entries[place].position }
      key = try self.key("min(position)", "position > ?", present)
    }
    return nil
  }

  /// Puts an item where none is.
  mutating func insert(_ entry: Entry) throws {
    difference.add(entry.packed)
    try change(at: entry.position) { entries in
      entries.insert(entry, at: entries.place(of: entry.position))
    }
  }

  /// Puts an item in the place of the one that is at its position.
  mutating func replace(_ entry: Entry) throws {
    difference.add(entry.packed)
    difference.subtract(
      try change(at: entry.position) { entries in
        let place = try entries.presentPlace(of: entry.position)
        defer { entries[place] = entry }
        return entries[place].packed
      })
  }

  /// Takes out the item at a position.
  mutating func remove(at position: Int64) throws {
    difference.subtract(
      try change(at: position) { entries in
        entries.remove(at: try entries.presentPlace(of: position)).packed
      })
  }

  /// Writes the chunks that have changed; the rows that held them before go to the past.
  mutating func finish(_ succession: Succession) throws {
    try joinShort()
    for (key, chunk) in chunks.sorted(by: { $0.key < $1.key }) where chunk.isChanged {
      if chunk.isStored { try succession.supersedeLayout(at: key) }
    }
    for (_, chunk) in chunks.sorted(by: { $0.key < $1.key }) where chunk.isChanged {
      let pieces = (chunk.entries.count + LayoutChunk.capacity - 1) / LayoutChunk.capacity
      for piece in 0..<pieces {
        var made = LayoutChunk()
        let (start, end) = (piece * chunk.entries.count, (piece + 1) * chunk.entries.count)
        for entry in chunk.entries[start / pieces..<end / pieces] {
          made.append(entry.packed, group: entry.group, position: entry.position)
        }
        try made.write(db, strip: strip, since: succession.revision)
      }
    }
  }

  /// Joins a changed chunk that has become short with the one before it, so that removals do not
  /// leave many chunks of a few items.
  private mutating func joinShort() throws {
    for key in chunks.keys.sorted(by: >) {
      guard let chunk = chunks[key], chunk.isChanged, !chunk.entries.isEmpty,
        chunk.entries.count < LayoutChunk.capacity / 4,
        let before = try self.key("max(position)", "position < ?", key)
      else { continue }
      let other = try load(before)
      guard other.entries.count + chunk.entries.count <= LayoutChunk.capacity else { continue }
      chunks[before]?.entries += chunk.entries
      chunks[before]?.isChanged = true
      chunks[key]?.entries = []
    }
  }

  private mutating func change<Result>(
    at position: Int64, _ body: (inout [Entry]) throws -> Result
  ) throws -> Result {
    let key = try key(holding: position) ?? .min
    _ = try load(key)
    defer { chunks[key]?.isChanged = true }
    return try body(&chunks[key, default: Chunk(entries: [], isStored: false)].entries)
  }

  /// The chunk that holds a position; nil for a strip that had no item, and has none yet.
  private func key(holding position: Int64) throws -> Int64? {
    if let key = try key("max(position)", "position <= ?", position) { return key }
    if let first = try key("min(position)", "position > ?", position) { return first }
    return chunks.isEmpty ? nil : .min
  }

  private func key(_ which: String, _ condition: String, _ position: Int64) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(which) FROM layout WHERE strip = ? AND \(condition)"),
      arguments: [strip, position])
  }

  private mutating func load(_ key: Int64) throws -> Chunk {
    if let chunk = chunks[key] { return chunk }
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(StoredChunk.columns) FROM layout WHERE strip = ? AND position = ?"),
      arguments: [strip, key])
    let chunk = Chunk(
      entries: try row.map { try StoredChunk($0).entries } ?? [], isStored: row != nil)
    chunks[key] = chunk
    return chunk
  }
}

extension [StagedLayout.Entry] {
  /// The place of the first entry that is not before `position`.
  fileprivate func place(of position: Int64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].position < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension [StagedLayout.Entry] {
  /// The place of the entry that is at `position`.
  fileprivate func presentPlace(of position: Int64) throws -> Int {
    let place = place(of: position)
    guard place < count, self[place].position == position else {
      throw CatalogueError.corrupt("an item at \(position) is missing in the layout")
    }
    return place
  }
}

extension StoredChunk {
  fileprivate var entries: [StagedLayout.Entry] {
    let groups = runs.lazy.flatMap { repeatElement($0.title, count: $0.count) }
    return zip(zip(place.positions, packed), groups).map {
      StagedLayout.Entry(position: $0.0.0, packed: $0.0.1, group: $0.1)
    }
  }
}
