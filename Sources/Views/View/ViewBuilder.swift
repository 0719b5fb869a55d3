import Windowing

/// Builds the strip of a view and the order of its items from the whole base.
enum ViewBuilder {
  typealias Parts = (strip: Strip, order: ViewOrder)

  /// The most groups that a view can have, before it is built.
  ///
  /// - Parameter indices: the items if they are in the order of a list.
  /// - Complexity: O(*m*) for *m* items with a sort.
  static func groupCount(
    _ bits: Bitmap, _ indices: [Int]?, of base: Snapshot, by ordering: ItemComparator
  ) -> Int {
    let count = indices?.count ?? bits.selectedCount
    guard !ordering.sort.isEmpty else {
      // In the order of a list, neighbours of one group can be apart.
      return indices == nil || base.strip.runCount == 0 ? min(count, base.strip.runCount) : count
    }
    guard let column = ordering.titles else { return 0 }
    let texts = column.dictionary.withTexts(\.count)
    guard indices == nil, texts > 1000 else { return min(count, texts) }
    return column.counts(where: bits, in: ordering.columns).count { $0 > 0 }
  }

  /// A view of the items whose bits are set.
  ///
  /// - Complexity: O(*n* / 64 + *m*) for *m* items; with a sort, a few passes over them.
  static func build(_ bits: Bitmap, of base: Snapshot, by ordering: ItemComparator) -> Parts {
    let indices = bits.indices
    guard !ordering.sort.isEmpty else {
      var strip = Strip(kinds: base.strip.kinds, segments: base.strip.segments(at: indices))
      if base.strip.runCount > 0 { strip.setGroups(base.strip.groups(where: bits)) }
      return (strip, ViewOrder(where: bits, of: ordering.sortKeys))
    }
    var sortKeys: [Int64] = []
    sortKeys.reserveCapacity(indices.count)
    ordering.sortKeys.forEach(where: bits) { sortKeys.append($0) }
    var items: ContiguousArray<PackedItem> = []
    items.reserveCapacity(indices.count)
    for segment in base.strip.segments(at: indices) { items += segment }
    return sorted(items, sortKeys, by: ordering, of: base, indices.lazy.map { Int($0) }) {
      $0.codes(at: indices, in: ordering.columns)
    }
  }

  /// A view of the items at these indices, in this order unless there is a sort.
  ///
  /// - Complexity: O(*m* log *n*) for *m* items.
  static func build(_ indices: [Int], of base: Snapshot, by ordering: ItemComparator) -> Parts {
    let sortKeys = indices.map { ordering.sortKeys[$0] }
    guard !ordering.sort.isEmpty else {
      var packer = StripPacker()
      for index in indices { packer.append(base.strip.packedItem(at: index)) }
      var strip = Strip(kinds: base.strip.kinds, segments: packer.finish())
      if base.strip.runCount > 0 {
        strip.setGroups(indices.map { (base.strip.groupRun(at: $0)?.title, 1) })
      }
      return (strip, ViewOrder(sortKeys))
    }
    let items = ContiguousArray(indices.map { base.strip.packedItem(at: $0) })
    return sorted(items, sortKeys, by: ordering, of: base, indices) { column in
      indices.map { column.code(at: ordering.columns.location(of: $0)) }
    }
  }

  /// - Parameter codes: the codes of the items in a column.
  private static func sorted(
    _ items: ContiguousArray<PackedItem>, _ sortKeys: [Int64], by ordering: ItemComparator,
    of base: Snapshot, _ indices: some Sequence<Int>, _ codes: (DictionaryEncodedColumn) -> [UInt32]
  ) -> Parts {
    var sorted = (0..<UInt32(sortKeys.count)).map { $0 }
    var titles: [UInt32] = []  // of the groups, as codes
    // The last field first: each pass is stable.
    for (number, field) in ordering.sort.enumerated().reversed() {
      if field.isRelevance, let search = ordering.ranking {
        var ranks = ordering.columns.relevances(to: search, at: indices)
        let greatest = ranks.max() ?? 0
        if field.isDescending { ranks = ranks.map { greatest - $0 } }
        sorted = RadixSort.sort(sorted, by: ranks, greatest: greatest)
        continue
      }
      let column = ordering.columns.column(field.field)
      var found = codes(column)
      if number == 0 { titles = found }
      let ranks = column.dictionary.ranks(of: found)
      found.replaceCodes(byRanks: ranks, isDescending: field.isDescending)
      sorted = RadixSort.sort(sorted, by: found, greatest: ranks[0])
    }
    // Each of these `map` is a short loop, which waits for several cache misses at once.
    var packer = StripPacker()
    for item in sorted.map({ items[Int($0)] }) { packer.append(item) }
    var order = ViewOrder.Builder()
    for sortKey in sorted.map({ sortKeys[Int($0)] }) { order.append(sortKey) }

    var strip = Strip(kinds: base.strip.kinds, segments: packer.finish())
    guard let first = ordering.titles?.dictionary.snapshot else { return (strip, order.finish()) }
    var groups: [(title: String?, count: Int)] = []
    var last: UInt32?
    for code in sorted.map({ titles[Int($0)] }) {
      if code != last { groups.append((code == 0 ? nil : first.text(code), 0)) }
      last = code
      groups[groups.count - 1].count += 1
    }
    strip.setGroups(groups)
    return (strip, order.finish())
  }
}

extension [UInt32] {
  /// Replaces codes by their ranks in an ascending or a descending sort. Absent, which is code 0 and the
  /// greatest rank, is the last in both.
  fileprivate mutating func replaceCodes(byRanks ranks: [UInt32], isDescending: Bool) {
    let last = ranks[0]
    ranks.withUnsafeBufferPointer { ranks in
      withUnsafeMutableBufferPointer { codes in
        if isDescending {
          for index in codes.indices {
            codes[index] = codes[index] == 0 ? last : last - ranks[Int(codes[index])]
          }
        } else {
          for index in codes.indices { codes[index] = ranks[Int(codes[index])] }
        }
      }
    }
  }
}

/// Sorts indices by ranks: a stable radix sort, eleven bits at a time.
private enum RadixSort {
  static func sort(_ indices: [UInt32], by ranks: [UInt32], greatest: UInt32) -> [UInt32] {
    var (from, to) = (indices, [UInt32](repeating: 0, count: indices.count))
    var shift: UInt32 = 0
    repeat {
      from.withUnsafeBufferPointer { from in
        to.withUnsafeMutableBufferPointer { to in
          ranks.withUnsafeBufferPointer { ranks in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: 2048) { counts in
              counts.initialize(repeating: 0)
              // The order of the indices does not matter here.
              for rank in ranks { counts[Int(rank >> shift & 2047)] &+= 1 }
              var sum = 0
              for digit in 0..<2048 {
                let count = counts[digit]
                counts[digit] = sum
                sum &+= count
              }
              for index in from {
                let digit = Int(ranks[Int(index)] >> shift & 2047)
                to[counts[digit]] = index
                counts[digit] &+= 1
              }
            }
          }
        }
      }
      swap(&from, &to)
      shift += 11
    } while shift < 32 && greatest >> shift > 0
    return from
  }
}

extension DictionaryEncodedColumn {
  /// The codes of the items at these indices, which ascend.
  fileprivate func codes(at indices: [UInt32], in columns: ColumnStore) -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: indices.count) { buffer, count in
      indices.withUnsafeBufferPointer { indices in
        for (number, segment) in segments.enumerated() where count < indices.count {
          var visitor = GatherVisitor(
            indices: indices, range: columns.range(of: number), found: buffer, count: count)
          segment.codes.visit(&visitor)
          count = visitor.count
        }
      }
    }
  }
}

private struct GatherVisitor: CodeVisitor {
  let indices: UnsafeBufferPointer<UInt32>
  let range: Range<Int>
  let found: UnsafeMutableBufferPointer<UInt32>
  var count: Int

  mutating func visit<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    while count < indices.count, Int(indices[count]) < range.upperBound {
      let index = Int(indices[count]) &- range.lowerBound
      found[count] = UInt32(truncatingIfNeeded: codes[index])
      count &+= 1
    }
  }
}

extension Strip {
  fileprivate func groups(where bits: Bitmap) -> [(title: String?, count: Int)] {
    var groups: [(title: String?, count: Int)] = []
    var end = 0
    func append(_ title: String?, _ range: Range<Int>) {
      let count = bits.count(in: range)
      if count > 0 { groups.append((title, count)) }
      end = range.upperBound
    }
    for run in groupRuns(from: 0) {
      append(nil, end..<run.range.lowerBound)
      append(run.title, run.range)
    }
    append(nil, end..<count)
    return groups
  }
}
