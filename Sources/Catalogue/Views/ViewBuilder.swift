import Windowing

/// Builds the strip of a view and the order of its items from the whole base.
enum ViewBuilder {
  typealias Made = (strip: Strip, order: ItemOrder)

  /// A view of the items whose bits are set.
  ///
  /// - Complexity: O(*n* / 64 + *m*) for *m* items; with a sort, a few passes over them.
  static func build(_ bits: Bitmap, of base: Edition, by ordering: ItemOrdering) -> Made {
    let pieces = base.strip.pieces(where: bits.words)
    guard !ordering.sort.isEmpty else {
      var strip = Strip(kinds: base.strip.kinds, pieces: pieces)
      if base.strip.hasGroups { strip.setGroups(base.strip.groups(where: bits)) }
      var order = ItemOrder.Builder()
      ordering.keys.forEach(where: bits) { order.append($0) }
      return (strip, order.finish())
    }
    var keys: [Int64] = []
    keys.reserveCapacity(bits.selectedCount)
    ordering.keys.forEach(where: bits) { keys.append($0) }
    return sorted(keys, by: ordering, of: base, { $0.codes(where: bits, in: ordering.columns) }) {
      pieces[$0 / Strip.pieceCapacity][$0 % Strip.pieceCapacity]
    }
  }

  /// A view of the items at these indices, in this order unless there is a sort.
  ///
  /// - Complexity: O(*m* log *n*) for *m* items.
  static func build(_ indices: [Int], of base: Edition, by ordering: ItemOrdering) -> Made {
    let keys = indices.map { ordering.keys[$0] }
    guard !ordering.sort.isEmpty else {
      var packer = StripPacker()
      var groups = GroupCollector()
      for index in indices {
        packer.append(base.strip.packedItem(at: index))
        groups.append(base.strip.groupRun(at: index)?.title)
      }
      var strip = Strip(kinds: base.strip.kinds, pieces: packer.finish())
      if base.strip.hasGroups { strip.setGroups(groups.groups) }
      return (strip, ItemOrder(keys))
    }
    return sorted(
      keys, by: ordering, of: base,
      { column in indices.map { column.code(at: ordering.columns.place(of: $0)) } }
    ) { base.strip.packedItem(at: indices[$0]) }
  }

  /// - Parameters:
  ///   - keys: of the items in the order before the sort.
  ///   - codes: the codes of a column in that order.
  ///   - item: the item at a place of that order.
  private static func sorted(
    _ keys: [Int64], by ordering: ItemOrdering, of base: Edition, _ codes: (Column) -> [UInt32],
    _ item: (Int) -> PackedItem
  ) -> Made {
    var places = (0..<UInt32(keys.count)).map { $0 }
    var titles: [UInt32] = []
    // The last field first: each pass is stable.
    for (number, field) in ordering.sort.enumerated().reversed() {
      let column = ordering.columns.column(field.field)
      let found = codes(column)
      if number == 0 { titles = found }
      let ranks = column.dictionary.ranks
      places = RadixSort.sort(places, byRanks: ranks.directed(field.isDescending), of: found)
    }
    let first = ordering.columns.column(ordering.sort[0].field).dictionary.snapshot
    var packer = StripPacker()
    var groups: [(title: String?, count: Int)] = []
    var last: UInt32?
    var order = ItemOrder.Builder()
    for place in places {
      packer.append(item(Int(place)))
      order.append(keys[Int(place)])
      let code = titles[Int(place)]
      if code == last {
        groups[groups.count - 1].count += 1
      } else {
        groups.append((code == 0 ? nil : first.text(code), 1))
        last = code
      }
    }
    var strip = Strip(kinds: base.strip.kinds, pieces: packer.finish())
    if groups.contains(where: { $0.title != nil }) { strip.setGroups(groups) }
    return (strip, order.finish())
  }
}

extension [UInt32] {
  /// The ranks of a dictionary for an ascending or a descending sort. Absent, the first, is the last in both.
  fileprivate func directed(_ isDescending: Bool) -> [UInt32] {
    guard isDescending else { return self }
    let last = self[0]
    return enumerated().map { code, rank in code == 0 ? last : last - rank }
  }
}

/// Sorts places by the ranks of their codes: a stable radix sort, eleven bits at a time.
private enum RadixSort {
  static func sort(
    _ places: [UInt32], byRanks ranks: [UInt32], of codes: [UInt32]
  ) -> [UInt32] {
    let greatest = ranks.max() ?? 0
    var (from, to) = (places, [UInt32](repeating: 0, count: places.count))
    var shift: UInt32 = 0
    repeat {
      from.withUnsafeBufferPointer { from in
        to.withUnsafeMutableBufferPointer { to in
          ranks.withUnsafeBufferPointer { ranks in
            codes.withUnsafeBufferPointer { codes in
              var counts = [Int](repeating: 0, count: 2048)
              counts.withUnsafeMutableBufferPointer { counts in
                for place in from {
                  counts[Int(ranks[Int(codes[Int(place)])] >> shift & 2047)] &+= 1
                }
                var sum = 0
                for digit in 0..<2048 {
                  let count = counts[digit]
                  counts[digit] = sum
                  sum &+= count
                }
                for place in from {
                  let digit = Int(ranks[Int(codes[Int(place)])] >> shift & 2047)
                  to[counts[digit]] = place
                  counts[digit] &+= 1
                }
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

/// Joins neighbouring items with the same title.
private struct GroupCollector {
  private(set) var groups: [(title: String?, count: Int)] = []

  mutating func append(_ title: String?) {
    if let last = groups.indices.last, groups[last].title.isSameGroup(as: title) {
      groups[last].count += 1
    } else {
      groups.append((title, 1))
    }
  }
}

extension Column {
  /// The codes of the selected items, in order.
  fileprivate func codes(where bits: Bitmap, in columns: ItemColumns) -> [UInt32] {
    let count = bits.selectedCount
    return [UInt32](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      for (piece, codes) in pieces.enumerated() {
        var loop = GatherLoop(
          bits: bits, range: columns.range(of: piece), found: buffer, count: initializedCount)
        codes.read(&loop)
        initializedCount = loop.count
      }
    }
  }
}

private struct GatherLoop: CodeLoop {
  let bits: Bitmap
  let range: Range<Int>
  let found: UnsafeMutableBufferPointer<UInt32>
  var count: Int

  mutating func run<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafeBufferPointer<Code>
  ) {
    bits.forEach(in: range) { index in
      found[count] = UInt32(truncatingIfNeeded: codes[index &- range.lowerBound])
      count &+= 1
    }
  }
}

extension Strip {
  fileprivate var hasGroups: Bool {
    var runs = groupRuns(from: 0)
    return runs.next() != nil
  }

  /// The groups of the selected items.
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
