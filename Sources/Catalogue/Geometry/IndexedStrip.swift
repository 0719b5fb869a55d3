package import Items
package import Views
package import Windowing

/// A strip, and the sort key of each item in the table of its store.
package struct IndexedStrip: Sendable {
  package private(set) var strip: Strip
  package private(set) var sortKeys: SortKeys

  /// - Precondition: There are as many sort keys as items.
  package init(_ strip: Strip, at sortKeys: SortKeys) {
    precondition(strip.count == sortKeys.count, "Each item has a sort key.")
    self.strip = strip
    self.sortKeys = sortKeys
  }

  /// The bytes of the strip without the sort keys, about.
  package var cost: Int { Self.cost(ofItems: strip.count) + 80 * strip.runCount }

  /// The bytes of a strip without groups and sort keys, about.
  package static func cost(ofItems count: Int) -> Int { 3000 + 10 * count }

  /// The bytes of the nodes that this number of changes makes, about.
  package static func cost(ofChanges count: Int) -> Int { 3000 + 600 * count }

  /// - Parameter names: begin with the kinds that the strip has.
  package mutating func addKinds(_ names: [String]) {
    for name in names.dropFirst(strip.kinds.count) { _ = strip.kind(named: name) }
  }

  /// - Parameter itemWidth: the width of an item that has neither aspect nor width.
  /// - Throws: `.corrupt` if a size is out of range.
  /// - Complexity: O(chunks of the sort keys + *k* log *n*).
  package mutating func apply(
    _ changes: GeometryChanges, itemWidth: Length
  ) throws(CatalogueError) {
    for splice in sortKeys.apply(changes).reversed() {
      var items: [StripItem] = []
      var groups: [String?] = []
      for number in splice.changes {
        guard let after = changes[number].after else { continue }
        guard let item = after.item.item(itemWidth: itemWidth, kinds: strip.kinds.count) else {
          throw .corrupt("a change of the layout is damaged")
        }
        items.append(item)
        groups.append(after.group)
      }
      strip.replace(splice.items, with: items, in: groups)
    }
  }

  package mutating func truncate(at sortKey: Int64) {
    let count = sortKeys.count(before: sortKey)
    strip.remove(count..<strip.count)
    sortKeys.truncate(at: count)
  }
}

extension Strip {
  fileprivate mutating func replace(
    _ range: Range<Int>, with items: [StripItem], in groups: [String?]
  ) {
    if items.count == range.count {
      update(range.lowerBound, to: items)
    } else {
      replace(range, with: items, group: groups.first ?? nil)
    }
    var start = 0
    for end in groups.indices.map({ $0 + 1 })
    where end == groups.count || !groups[end].isSameGroup(as: groups[start]) {
      setGroup(groups[start], for: range.lowerBound + start..<range.lowerBound + end)
      start = end
    }
  }
}

extension IndexedStrip {
  /// Replaces the names of the kinds by those of another revision.
  ///
  /// - Throws: `.corrupt` if the kind of an item has no name.
  /// - Complexity: O(1) if the names are the same, else O(*n*).
  package mutating func rename(kinds: [String]) throws(CatalogueError) {
    guard kinds != strip.kinds else { return }
    let strip = strip
    let used = Set(strip.kindsInUse)
    guard !strip.kinds.dropFirst(kinds.count).contains(where: used.contains) else {
      throw .corrupt("an item has a kind without a name")
    }
    let items = stride(from: 0, to: strip.count, by: 4096).lazy.flatMap {
      strip.items($0..<min($0 + 4096, strip.count))
    }
    var renamed = Strip(kinds: kinds, items: items)
    for run in strip.groupRuns(from: 0) { renamed.setGroup(run.title, for: run.range) }
    self.strip = renamed
  }
}

extension IndexedStrip {
  /// Appends the items of a chunk that are at `appendedFrom` or after it.
  ///
  /// - Throws: `.corrupt` if a size is out of range, or an item is not after those of the strip.
  package mutating func append(
    _ chunk: GeometryChunk, from appendedFrom: Int64, itemWidth: Length
  ) throws {
    guard
      sortKeys.count == 0
        || sortKeys[sortKeys.count - 1] < max(appendedFrom, chunk.sortKeys.first)
    else { throw GeometryChunk.DecodedColumns.damaged }
    let skipped = chunk.sortKeys.offset(notBefore: appendedFrom)
    guard let kept = SortKeys.Chunk(Array(chunk.sortKeys.all[skipped...])) else { return }
    var decoder = GeometryDecoder(kinds: strip.kinds, itemWidth: itemWidth)
    try chunk.encodedSizes.withUnsafeBytes { try decoder.append(chunk.decoded, sizes: $0) }
    let items = decoder.finish().strip
    strip.insert(contentsOf: items.slice(skipped..<items.count), at: strip.count)
    sortKeys.append(kept)
  }
}
