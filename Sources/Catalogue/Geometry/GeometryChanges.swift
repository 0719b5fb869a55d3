package import Items

/// The change of a revision at one sort key.
package struct GeometryChange: Sendable {
  package struct State: Sendable {
    package let item: PackedSizeAndKind
    package let group: String?

    package init(_ item: PackedSizeAndKind, group: String?) {
      self.item = item
      self.group = group
    }

    package init(_ item: Item, kind: Int) {
      self.init(
        PackedSizeAndKind(aspect: item.aspect, width: item.width, kind: kind), group: item.group)
    }
  }

  package let sortKey: Int64
  /// Nil if no item was there.
  package var before: State?
  /// Nil if no item is there now.
  package var after: State?

  package init(sortKey: Int64, before: State?, after: State?) {
    self.sortKey = sortKey
    self.before = before
    self.after = after
  }
}

extension GeometryChange.State: Equatable {
  package static func == (a: Self, b: Self) -> Bool {
    a.item == b.item && a.group.isSameGroup(as: b.group)
  }
}

/// The changes of one revision, or of several together, in the geometry of a strip.
///
/// A store logs this for each revision, until a compaction applies the log to the chunks. Changes are
/// idempotent: chunks may contain them already.
package struct GeometryChanges: Sendable {
  private var changes: [GeometryChange]
  /// First sort key of a bulk append. The appended items are in the chunks, not in `changes`. Nil for none.
  package let appendedFrom: Int64?

  /// - Precondition: There is at most one change for each sort key.
  package init(_ changes: [GeometryChange], appendedFrom: Int64? = nil) {
    self.changes = changes.sorted { $0.sortKey < $1.sortKey }
    self.appendedFrom = appendedFrom
  }

  package var count: Int { changes.count }

  package subscript(index: Int) -> GeometryChange { changes[index] }

  /// The changes that undo these, without the appended items.
  package var inverse: GeometryChanges {
    GeometryChanges(
      changes.map { GeometryChange(sortKey: $0.sortKey, before: $0.after, after: $0.before) })
  }
}

extension [GeometryChanges] {
  /// The least sort key from which items were appended.
  package var appendedFrom: Int64? { compactMap(\.appendedFrom).min() }

  /// The changes of all revisions as one. Before you apply it, read the items from `appendedFrom` on from the chunks.
  package var merged: GeometryChanges {
    if count == 1 { return self[0] }
    // Appended items replace all items from `appendedFrom` on. Earlier changes there no longer count.
    var ends: [Int64] = []
    var end = Int64.max
    for revision in reversed() {
      ends.append(end)
      end = Swift.min(end, revision.appendedFrom ?? .max)
    }
    var builder = GeometryChanges.Builder()
    for (revision, end) in zip(self, ends.reversed()) { builder.append(revision, before: end) }
    return builder.changes
  }

  /// The changes that undo all revisions. Apply them after the items from `appendedFrom` on were removed.
  package var inverse: GeometryChanges {
    if count == 1 { return self[0].inverse }
    // An item after `appendedFrom` was not there before.
    var end = Int64.max
    var builder = GeometryChanges.Builder()
    for revision in self {
      builder.append(revision, before: end)
      end = Swift.min(end, revision.appendedFrom ?? .max)
    }
    return builder.changes.inverse
  }
}

// MARK: - Building

extension GeometryChanges {
  /// Gathers changes in any order. A sort key can change any number of times.
  ///
  ///     builder.append(4096, from: before, to: nil)   // an item is removed
  package struct Builder {
    private var bySortKey: [Int64: GeometryChange] = [:]
    /// The differences of the sums over the items.
    package private(set) var totals = StripTotals()

    package init() {}

    package var count: Int { bySortKey.count }

    package mutating func append(
      _ sortKey: Int64, from before: GeometryChange.State?, to after: GeometryChange.State?
    ) {
      if let before { totals.add(before.item, times: -1) }
      if let after { totals.add(after.item) }
      if bySortKey[sortKey] == nil {
        bySortKey[sortKey] = GeometryChange(sortKey: sortKey, before: before, after: after)
      } else {
        bySortKey[sortKey]?.after = after
      }
    }

    fileprivate mutating func append(_ later: GeometryChanges, before end: Int64) {
      for change in later.changes where change.sortKey < end {
        append(change.sortKey, from: change.before, to: change.after)
      }
    }

    package var changes: GeometryChanges { GeometryChanges(Array(bySortKey.values)) }
  }
}

// MARK: - Encoding

// The encoded form. Numbers are little-endian:
//
//     count, titles            4 bytes each
//     titles x                 the length (4 bytes) and the UTF-8 of a group's title
//     count x                  sort key (8 bytes)
//     count x                  the `PackedSizeAndKind` before (8 bytes; all ones for no item)
//     count x                  the `PackedSizeAndKind` after
//     count x, with titles     the groups before and after (4 bytes each): 0 for none, else the
//                              number of a title, counted from 1
extension GeometryChanges {
  package var bytes: [UInt8] {
    var titles: [String] = []
    var numbers: [[UInt8]: UInt32] = [:]
    func number(of group: String?) -> UInt32 {
      guard let group else { return 0 }
      if let number = numbers[Array(group.utf8)] { return number }
      titles.append(group)
      numbers[Array(group.utf8)] = UInt32(titles.count)
      return UInt32(titles.count)
    }
    let groups = changes.flatMap { [number(of: $0.before?.group), number(of: $0.after?.group)] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + 32 * count)
    bytes.append(littleEndian: UInt32(count))
    bytes.append(littleEndian: UInt32(titles.count))
    for title in titles {
      bytes.append(littleEndian: UInt32(title.utf8.count))
      bytes += title.utf8
    }
    bytes += [UInt8](littleEndian: changes.map(\.sortKey))
    bytes += [UInt8](littleEndian: changes.map { $0.before?.item.bits ?? .max })
    bytes += [UInt8](littleEndian: changes.map { $0.after?.item.bits ?? .max })
    if !titles.isEmpty { bytes += [UInt8](littleEndian: groups) }
    return bytes
  }

  /// - Throws: `.corrupt` if the bytes are damaged.
  package init(bytes: [UInt8], appendedFrom: Int64? = nil) throws(CatalogueError) {
    let damaged = CatalogueError.corrupt("a row of changes is damaged")
    var reader = ByteReader(bytes, of: damaged)
    let count = try reader.number(UInt32.self)
    let titleCount = try reader.number(UInt32.self)
    var titles: [String?] = [nil]
    for _ in 0..<titleCount {
      titles.append(try reader.text(Int(try reader.number(UInt32.self))))
    }
    let sortKeys = try reader.numbers(Int64.self, Int(count))
    let before = try reader.numbers(UInt64.self, Int(count))
    let after = try reader.numbers(UInt64.self, Int(count))
    let groups = titleCount > 0 ? try reader.numbers(UInt32.self, 2 * Int(count)) : []
    func state(_ bits: UInt64, _ group: Int) throws(CatalogueError) -> GeometryChange.State? {
      guard bits != .max else { return nil }
      let title = groups.isEmpty ? 0 : Int(groups[group])
      guard title < titles.count else { throw damaged }
      return GeometryChange.State(PackedSizeAndKind(bits: bits), group: titles[title])
    }
    var changes: [GeometryChange] = []
    changes.reserveCapacity(Int(count))
    for index in 0..<Int(count) {
      let sortKey = sortKeys[index]
      guard sortKey.magnitude <= 1 << 62, index == 0 || changes[index - 1].sortKey < sortKey
      else { throw damaged }
      changes.append(
        GeometryChange(
          sortKey: sortKey, before: try state(before[index], 2 * index),
          after: try state(after[index], 2 * index + 1)))
    }
    guard reader.isAtEnd else { throw damaged }
    self.init(changes, appendedFrom: appendedFrom)
  }
}
