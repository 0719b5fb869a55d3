import GRDB
import Items
import Windowing

extension StoredStrip {
  /// This strip at another revision, of which one is the newest: what differs is read, the rest is
  /// shared.
  ///
  /// - Parameter revision: the one to go to: the row's own, or a former one that is held.
  /// - Returns: nil where there is no way but to read the layout whole.
  /// - Complexity: O(chunks) for the way there, and for each chunk that differs O(log *n*) and its
  ///   thousand items.
  func following(
    to row: StripRow, kinds: [String], database: SQLiteReaders, _ db: Database
  ) throws -> StoredStrip? {
    let isForward = row.revision > edition.revision
    let former = isForward ? edition.revision : row.revision
    guard row.number == number, row.settings.itemWidth == edition.settings.itemWidth,
      kinds.starts(with: edition.strip.kinds)
    else { return nil }
    let before = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(isForward ? "position" : StoredChunk.columns) FROM past_layout
          WHERE strip = ?1 AND until >= ?2 AND since <= ?2 ORDER BY position
          """), arguments: [number, former])
    let after = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(isForward ? StoredChunk.columns : "position")
          FROM layout INDEXED BY layout_since
          WHERE strip = ?1 AND since > ?2 ORDER BY position
          """), arguments: [number, former])
    let gone = Set(try (isForward ? before : after).map { try $0.required("position") as Int64 })
    let fresh = try (isForward ? after : before).map(StoredChunk.init)

    var positions = positions
    let hunks = positions.replace(gone, with: fresh.map(\.place))
    var strip = edition.strip
    for name in kinds.dropFirst(strip.kinds.count) { _ = strip.kind(named: name) }
    for hunk in hunks.reversed() {
      try strip.replace(
        hunk.items, with: fresh[hunk.chunks], itemWidth: row.settings.itemWidth)
    }
    return StoredStrip(
      row, strip: strip, positions: positions, pools: edition.pools, database: database)
  }
}

extension Strip {
  /// Puts the items of chunks in the place of others, and touches only those that differ.
  fileprivate mutating func replace(
    _ range: Range<Int>, with chunks: ArraySlice<StoredChunk>, itemWidth: Length
  ) throws {
    let old = items(range)
    let new = try chunks.flatMap { try $0.items(itemWidth: itemWidth, kinds: kinds.count) }
    let head = zip(old, new).prefix { $0 == $1 }.count
    let most = min(old.count, new.count) - head
    let tail = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.prefix(most).count
    if head + tail < max(old.count, new.count) {
      replace(
        range.lowerBound + head..<range.upperBound - tail, with: new[head..<new.count - tail])
    }
    var start = range.lowerBound
    for run in chunks.lazy.flatMap(\.runs) {
      defer { start += run.count }
      regroup(start..<start + run.count, as: run.title)
    }
  }

  /// Makes sure that the items of `range` are of this group, or of none.
  private mutating func regroup(_ range: Range<Int>, as title: String?) {
    let present = groupRun(at: range.lowerBound)
    switch (present, title) {
    case (let present?, let title?):
      if present.title.utf8.elementsEqual(title.utf8),
        present.range.upperBound >= range.upperBound
      {
        return
      }
    case (nil, nil):
      var later = groupRuns(from: range.lowerBound)
      guard let next = later.next(), next.range.lowerBound < range.upperBound else { return }
    default: break
    }
    setGroup(title, for: range)
  }
}
