import Synchronization
import Windowing

/// The columns of one strip, shared by its editions. They are built when a view first needs them, or before
/// that by `prepare`.
///
/// Columns of another revision are made from those in memory, and from the keys of the items that edits have
/// touched between the two.
///
/// - Complexity: O(*n*) with a read of all items for the first view; O(pieces + *k*) with a read of *k*
///   touched items for the first view of a later revision; O(1) for others.
package final class SharedColumns: Sendable {
  /// The columns at one revision.
  private struct Snapshot {
    let revision: Int64
    let keys: ItemKeys
    var columns: ItemColumns
  }

  private struct State {
    /// The snapshots that were used last, the last one at the end.
    var snapshots: [Snapshot] = []
    var cost = 0
  }

  /// Columns of longer strips do not fit in memory.
  package static let longestStrip = 1 << 27

  /// So many revisions stay in memory. They share what edits did not touch.
  private static let snapshotCount = 4

  private let state = Mutex(State())
  private let log: Mutex<ChangeLog>
  /// Held while columns are built. Only functions that may block wait for it.
  private let building = Mutex(())

  /// - Parameter revision: the strip's, before all changes that are recorded.
  package init(at revision: Int64) { log = Mutex(ChangeLog(at: revision)) }

  /// About how many bytes the columns take.
  package var cost: Int { state.withLock(\.cost) }

  /// Records that a revision has touched items.
  ///
  /// - Parameters:
  ///   - keys: the items that were inserted, changed or removed.
  ///   - tail: items with this key or a greater one were appended too.
  package func record(_ keys: [Int64], tail: Int64?, at revision: Int64) {
    log.withLock { $0.append(Set(keys).sorted(), tail: tail, at: revision) }
  }

  /// The items that differ between two editions of the strip; nil if that is not known any more.
  func changedKeys(from old: (Int64, ItemKeys), to new: (Int64, ItemKeys)) -> [Int64]? {
    guard old.0 != new.0 else { return [] }
    let found = log.withLock { $0.changes(between: min(old.0, new.0), and: max(old.0, new.0)) }
    guard let found else { return nil }
    guard let tail = found.tail else { return found.keys }
    var keys = Set(found.keys)
    for side in [old.1, new.1] { keys.formUnion(side[side.count(before: tail)..<side.count]) }
    return keys.sorted()
  }

  /// The columns of an edition: the declared columns, and others that a view needs. May block.
  func columns(
    of edition: Edition, with fields: [FieldName], words: Bool
  ) throws(CatalogueError) -> ItemColumns {
    if let found = cachedColumns(of: edition, with: fields, words: words) { return found }
    return try building.withLock { _ throws(CatalogueError) in
      if let found = cachedColumns(of: edition, with: fields, words: words) { return found }
      var columns = try following(to: edition) ?? ItemColumns(count: edition.strip.count)
      if !columns.has(fields, words ? edition.settings.searchable : nil) {
        let wanted = edition.settings.filterable + fields
        var missing: [FieldName] = []
        for field in wanted where columns.columns[field] == nil && !missing.contains(field) {
          missing.append(field)
        }
        let searched =
          columns.words?.fields == edition.settings.searchable ? [] : edition.settings.searchable
        let reader = ColumnReader(edition, fields: missing, searched: searched)
        columns.merge(try reader.read(pieces: columns.starts))
      }
      store(Snapshot(revision: edition.revision, keys: edition.source.keys, columns: columns))
      return columns.withWords(of: edition.settings.searchable)
    }
  }

  /// Builds the columns that an edition declares, and orders their values, so that views find them. Does
  /// nothing if they would take more than `memory` bytes, about. Blocks.
  package func prepare(_ edition: Edition, memory: Int) throws(CatalogueError) {
    let (fields, searched) = (edition.settings.filterable, edition.settings.searchable)
    // A code takes two bytes, and an item has some words.
    let bytes = 2 * fields.count + (searched.isEmpty ? 0 : 16)
    let count = edition.strip.count
    guard bytes > 0, count <= min(Self.longestStrip, memory / bytes) else { return }
    let columns = try columns(of: edition, with: fields, words: true)
    for field in fields { _ = columns.column(field).dictionary.ranks }
  }

  /// The columns of an edition if they are in memory. Never blocks.
  func cachedColumns(
    of edition: Edition, with fields: [FieldName], words: Bool
  ) -> ItemColumns? {
    let searched = edition.settings.searchable
    let found = state.withLock { state in
      state.snapshots.last { $0.revision == edition.revision }?.columns
    }
    guard let found, found.has(fields, words ? searched : nil) else { return nil }
    return found.withWords(of: searched)
  }

  /// The columns of an edition, made from those of the nearest revision in memory.
  private func following(to edition: Edition) throws(CatalogueError) -> ItemColumns? {
    let nearest = state.withLock { state in
      state.snapshots.min {
        abs($0.revision - edition.revision) < abs($1.revision - edition.revision)
      }
    }
    guard let nearest else { return nil }
    let keys = edition.source.keys
    guard
      let changed = changedKeys(
        from: (nearest.revision, nearest.keys), to: (edition.revision, keys))
    else { return nil }
    let present = changed.filter { keys.index(of: $0) != nil }
    var items: [Int64: Item] = [:]
    for (key, item) in zip(present, try edition.source.items(at: present)) { items[key] = item }
    return nearest.columns.applying(
      changed.map { key in
        let index = nearest.keys.index(of: key)
        return ItemChange(
          index: index ?? nearest.keys.count(before: key), isThere: index != nil, item: items[key])
      })
  }

  private func store(_ snapshot: Snapshot) {
    let cost = snapshot.columns.cost
    state.withLock { state in
      state.snapshots.removeAll { $0.revision == snapshot.revision }
      state.snapshots.append(snapshot)
      state.snapshots.removeFirst(max(0, state.snapshots.count - Self.snapshotCount))
      state.cost = cost
    }
  }
}

extension ItemColumns {
  /// - Parameter searched: the fields whose words are needed; nil for no words.
  fileprivate func has(_ fields: [FieldName], _ searched: [FieldName]?) -> Bool {
    fields.allSatisfy { columns[$0] != nil }
      && (searched.map { $0.isEmpty || words?.fields == $0 } ?? true)
  }
}

/// The items that the last revisions of a strip touched.
private struct ChangeLog {
  private struct Entry {
    let revision: Int64
    let keys: [Int64]
    let tail: Int64?
  }

  /// The revision before the first entry.
  private var start: Int64
  private var entries: [Entry] = []
  private var keyCount = 0

  /// So many keys are remembered.
  private static let limit = 200_000

  init(at revision: Int64) { start = revision }

  mutating func append(_ keys: [Int64], tail: Int64?, at revision: Int64) {
    entries.append(Entry(revision: revision, keys: keys, tail: tail))
    keyCount += keys.count + 4
    guard keyCount > Self.limit else { return }
    // Half at once, so that the cost of each append is constant.
    while keyCount > Self.limit / 2, entries.count > 1 {
      let first = entries.removeFirst()
      keyCount -= first.keys.count + 4
      start = first.revision
    }
  }

  /// The keys, which ascend, and the least tail. Nil if the log does not reach back to `first`.
  func changes(between first: Int64, and last: Int64) -> (keys: [Int64], tail: Int64?)? {
    guard first >= start else { return nil }
    // Most often a view follows one edit.
    if let entry = entries.last, entry.revision == last,
      first >= entries.dropLast().last?.revision ?? start
    {
      return (entry.keys, entry.tail)
    }
    var keys: Set<Int64> = []
    var tail: Int64?
    var place = entries.count
    while place > 0, entries[place - 1].revision > first {
      place -= 1
      // An entry can stand for several revisions: those after the entry before.
      guard (place > 0 ? entries[place - 1].revision : start) < last else { continue }
      keys.formUnion(entries[place].keys)
      if let begin = entries[place].tail { tail = min(begin, tail ?? begin) }
    }
    return (keys.sorted(), tail)
  }
}
