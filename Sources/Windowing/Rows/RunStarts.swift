/// Where the runs of a strip start: its groups, and the items without a group between them. Runs
/// without visible items are left out. A run begins a new row. If groups have no headings, the whole
/// strip is one run.
///
/// - Complexity: O(runs) to make, O(runs x log *n*) with hidden items; O(log runs) to search.
struct RunStarts: Sendable {
  /// The index of the first item of each run, in order. The first is 0.
  let starts: [Int]

  /// The number of groups among the runs before each run, and of all runs.
  let groupsBefore: [Int]

  /// One run without a group.
  static let whole = RunStarts(starts: [0], groupsBefore: [0, 0])

  private init(starts: [Int], groupsBefore: [Int]) {
    (self.starts, self.groupsBefore) = (starts, groupsBefore)
  }

  init(_ strip: Strip) {
    var starts: [Int] = []
    var groupsBefore = [0]
    let hidesItems = strip.hidesItems
    for (run, start) in strip.allRuns {
      if hidesItems, strip.visibleCount(in: start..<start + run.length) == 0 { continue }
      starts.append(starts.isEmpty ? 0 : start)
      groupsBefore.append(groupsBefore[groupsBefore.count - 1] + (run.title == nil ? 0 : 1))
    }
    self = starts.isEmpty ? .whole : RunStarts(starts: starts, groupsBefore: groupsBefore)
  }

  var count: Int { starts.count }

  var hasGroups: Bool { groupsBefore[count] > 0 }

  func run(holding index: Int) -> Int { starts.partitioningIndex { $0 > index } - 1 }

  func isGroup(_ run: Int) -> Bool { groupsBefore[run + 1] > groupsBefore[run] }

  func end(of run: Int, count: Int) -> Int { run + 1 < starts.count ? starts[run + 1] : count }
}

extension Strip {
  /// The number of items that are not hidden. O(kinds).
  var visibleCount: Int { root?.visibleCount ?? 0 }

  var hidesItems: Bool { visibleCount < count }

  var kindCount: Int { root?.kindCount ?? 0 }

  /// The kind of all items, if they are visible and of one kind. O(kinds).
  var onlyKind: Int? { (0..<kindCount).first { root?.count(ofKind: $0) == count } }

  /// O(log *n*).
  func visibleCount(before index: Int) -> Int {
    guard let root else { return 0 }
    return root.ranks(before: index, kinds: root.kindCount).reduce(0, +)
  }

  /// The first item from `index` on that is not hidden; the count if there is none.
  func firstVisible(from index: Int) -> Int {
    var found = index
    root?.visit(index..<count) { leaf, part in
      for item in leaf[part] {
        if !item.isHidden { return false }
        found += 1
      }
      return true
    }
    return found
  }

  func visibleCount(in range: Range<Int>) -> Int {
    visibleCount(before: range.upperBound) - visibleCount(before: range.lowerBound)
  }
}

extension Node {
  var visibleCount: Int { (0..<kindCount).reduce(0) { $0 + count(ofKind: $1) } }

  /// The index of the visible item of this rank among all kinds. O(log *n* x kinds).
  func index(ofVisible rank: Int) -> Int {
    switch self {
    case .leaf(let items):
      var rest = rank
      return items.firstIndex { item in
        rest -= item.visible
        return rest < 0
      } ?? items.count
    case .repetition(let repetition):
      let (lap, rest) = rank.quotientAndRemainder(dividingBy: repetition.pattern.visibleCount)
      return lap * repetition.patternTotals.count + repetition.pattern.index(ofVisible: rest)
    case .branch(let branch):
      let child = (0..<branch.count - 1).partitioningIndex {
        branch.visibleCount(before: $0 + 1) > rank
      }
      let rest = rank - branch.visibleCount(before: child)
      return branch.count(before: child) + branch[child].index(ofVisible: rest)
    }
  }
}

extension Branch {
  fileprivate func visibleCount(before child: Int) -> Int {
    (0..<kinds).reduce(0) { $0 + count(ofKind: $1, before: child) }
  }
}
