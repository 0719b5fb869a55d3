import Foundation
import GRDB
import Items
import Windowing

/// A strip as it is read from the layout: an edition, and the number of the row it was read from.
struct StoredStrip: Sendable {
  let edition: Edition
  let number: Int64
  let firstRevision: Int64

  /// Reads a strip's layout in one transaction.
  ///
  /// - Returns: nil when there is no strip of this name, or without a name none at all.
  /// - Complexity: O(*n*); reads 8 bytes an item, and holds no more than the strip itself.
  static func load(name: String?, database: SQLiteReaders) throws(CatalogueError) -> StoredStrip? {
    do throws(CatalogueError) {
      return try read(name: name, database: database)
    } catch {
      guard case .corrupt(let sentence) = error else { throw error }
      let strip = name.map { "the strip \"\($0)\"" } ?? "the first strip"
      throw .corrupt("\(database.path): \(strip) is damaged: \(sentence)")
    }
  }

  private static func read(
    name: String?, database: SQLiteReaders
  ) throws(CatalogueError) -> StoredStrip? {
    try database.read { db in
      guard let row = try StripRow.fetch(db, name: name) else { return nil }
      let kinds = try row.kinds(db)
      var positions = Positions()
      var runs: [GroupRun] = []
      let chunks = try Row.fetchCursor(
        db,
        sql: """
          SELECT position, count, step, sizes, groups FROM layout WHERE strip = ? ORDER BY position
          """, arguments: [row.number])
      var damage: (any Error)?
      let items = LayoutSequence {
        do {
          guard let chunk = try chunks.next() else { return nil }
          let (count, first, step) = try chunk.place()
          try chunk.appendGroups(to: &runs, from: positions.count, count: count)
          positions.append(count: count, first: first, step: step)
          return try chunk.items(
            count: count, itemWidth: row.settings.itemWidth, kinds: kinds.count)
        } catch {
          damage = error
          return nil
        }
      }
      var strip = Strip(kinds: kinds, items: items)
      if let damage { throw damage }
      try positions.check(against: db, strip: row.number)
      for run in runs { strip.setGroup(run.title, for: run.range) }
      return StoredStrip(
        edition: Edition(
          name: row.name, settings: row.settings, revision: row.revision, strip: strip,
          source: StoredItems(
            database: database, strip: row.number, name: row.name, revision: row.revision,
            kinds: kinds, positions: positions)),
        number: row.number, firstRevision: row.firstRevision)
    }
  }
}

extension Positions {
  /// Makes sure that the layout begins and ends where the items do.
  ///
  /// - Throws: `.corrupt` where it does not: rows of one of both are lost.
  /// - Complexity: O(log *n*).
  fileprivate func check(against db: Database, strip: Int64) throws {
    let ends = try Row.fetchOne(
      db,
      sql: """
        SELECT (SELECT min(position) FROM item WHERE strip = :strip) AS first,
          (SELECT max(position) FROM item WHERE strip = :strip) AS last
        """, arguments: ["strip": strip])
    let first: Int64? = try ends?.optional("first")
    let last: Int64? = try ends?.optional("last")
    guard first == (count > 0 ? self[0] : nil), last == (count > 0 ? self[count - 1] : nil) else {
      throw CatalogueError.corrupt("its layout and its items do not begin and end together")
    }
  }
}

/// The items of a layout, a chunk at a time.
private struct LayoutSequence: Sequence, IteratorProtocol {
  private let nextChunk: () -> [StripItem]?
  private var chunk: [StripItem] = []
  private var position = 0

  init(_ nextChunk: @escaping () -> [StripItem]?) { self.nextChunk = nextChunk }

  mutating func next() -> StripItem? {
    if position == chunk.count {
      guard let next = nextChunk() else { return nil }
      chunk = next
      position = 0
    }
    defer { position += 1 }
    return chunk[position]
  }
}

extension Row {
  /// Where the items of a row of `layout` lie: how many, the first position, and the way to the
  /// next.
  fileprivate func place() throws -> (count: Int, first: Int64, step: Int64) {
    let count: Int = try required("count")
    let first: Int64 = try required("position")
    let step: Int64 = try required("step")
    guard 1...1_000_000 ~= count, first.magnitude <= 1 << 62, 1...(1 << 40) ~= step else {
      throw damaged
    }
    return (count, first, step)
  }

  /// The items of a row of `layout`.
  fileprivate func items(count: Int, itemWidth: Length, kinds: Int) throws -> [StripItem] {
    try withUnsafeData(named: "sizes") { sizes in
      guard let sizes, sizes.count == 8 * count else { throw damaged }
      return try sizes.withUnsafeBytes { bytes in
        try (0..<count).map { index in
          let bits = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
          guard let item = PackedItem(bits: bits).item(itemWidth: itemWidth, kinds: kinds) else {
            throw damaged
          }
          return item
        }
      }
    }
  }

  /// Puts the runs of a row of `layout`, whose first item is at `index`, behind those before it.
  fileprivate func appendGroups(
    to runs: inout [GroupRun], from index: Int, count: Int
  ) throws {
    let groups: Data? = try optional("groups")
    guard let groups else { return }
    guard let chunk = LayoutChunk.runs(Array(groups)),
      chunk.reduce(0, { $0 + $1.count }) == count
    else { throw damaged }
    var start = index
    for run in chunk {
      let range = start..<start + run.count
      start = range.upperBound
      guard let title = run.title else { continue }
      if let last = runs.last, last.range.upperBound == range.lowerBound,
        last.title.utf8.elementsEqual(title.utf8)
      {
        runs[runs.count - 1] = GroupRun(
          title: title, range: last.range.lowerBound..<range.upperBound)
      } else {
        runs.append(GroupRun(title: title, range: range))
      }
    }
  }

  private var damaged: CatalogueError { .corrupt("a row of its layout is not as it was written") }
}
