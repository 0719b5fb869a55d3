/// Adjacent items of one group.
public struct GroupRun: Hashable, Sendable {
  public let title: String

  public let range: Range<Int>

  public init(title: String, range: Range<Int>) {
    self.title = title
    self.range = range
  }

  /// Compares titles as bytes of UTF-8.
  public static func == (a: GroupRun, b: GroupRun) -> Bool {
    a.range == b.range && a.title.utf8.elementsEqual(b.title.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(range)
    for byte in title.utf8 { hasher.combine(byte) }
  }
}

extension Strip {
  /// Sets the group of the items of `range`; nil removes them from their groups. Adjacent items
  /// with equal titles form one group. O(log runs).
  ///
  /// - Precondition: `range` is within the strip.
  public mutating func setGroup(_ title: String?, for range: Range<Int>) {
    checkRange(range)
    guard runs != nil || title != nil else { return }
    let (head, rest) = RunTree.split(runsCovering(count), at: range.lowerBound)
    let tail = RunTree.split(rest, at: range.count).1
    runs = .concatenating(.concatenating(head, .one(title, length: range.count)), tail)
    dropUntitledRuns()
  }

  /// Replaces the groups of all items. Each run has a title, or nil for items without a group.
  ///
  ///     strip.setGroups([("1971", 5), (nil, 1), ("1972", 4)])
  ///
  /// - Precondition: The counts of the runs add up to the count of the strip.
  /// - Complexity: O(runs).
  public mutating func setGroups(_ groups: [(title: String?, count: Int)]) {
    var joined: [Run] = []
    var sum = 0
    for group in groups where group.count > 0 {
      sum += group.count
      if let last = joined.last, last.hasTitle(group.title) {
        joined[joined.count - 1] = Run(title: last.title, length: last.length + group.count)
      } else {
        joined.append(Run(title: group.title, length: group.count))
      }
    }
    precondition(sum == count, "The groups of a strip add up to its items.")
    runs = .building(joined[...])
    dropUntitledRuns()
  }

  /// The same for runs of which no two neighbours have the same title, without comparing titles.
  ///
  /// - Precondition: No count is 0, and the counts add up to the count of the strip.
  /// - Complexity: O(runs).
  package mutating func setDistinctGroups(_ groups: [(title: String?, count: Int)]) {
    precondition(
      groups.reduce(0) { $0 + $1.count } == count, "The groups of a strip add up to its items.")
    runs = .building(groups.map { Run(title: $0.title, length: $0.count) }[...])
    dropUntitledRuns()
  }

  /// The number of runs of items with equal groups, or without a group; 0 if no item has a group. O(1).
  package var runCount: Int { runs?.count ?? 0 }

  /// The group of the item at `index`; nil if it has none. O(log runs).
  ///
  /// - Precondition: `index` is in 0 ..< count.
  public func groupRun(at index: Int) -> GroupRun? {
    precondition(index >= 0 && index < count, "An index into a strip is within it.")
    guard let (run, start) = runs?.find(index), let title = run.title else { return nil }
    return GroupRun(title: title, range: start..<start + run.length)
  }

  /// The groups in order, from the one that contains or follows `index`.
  ///
  /// - Complexity: O(log runs) for each element.
  public func groupRuns(from index: Int) -> GroupRuns {
    GroupRuns(strip: self, index: max(0, index))
  }

  /// The groups of a strip in order.
  public struct GroupRuns: Sequence, IteratorProtocol, Sendable {
    fileprivate let strip: Strip
    fileprivate var index: Int

    public mutating func next() -> GroupRun? {
      guard let runs = strip.runs else { return nil }
      while index < strip.count {
        let (run, start) = runs.find(index)
        index = start + run.length
        if let title = run.title { return GroupRun(title: title, range: start..<index) }
      }
      return nil
    }
  }
}

extension Strip {
  /// The runs of `count` items: one run without a title if no item has a group.
  func runsCovering(_ count: Int) -> RunTree? { runs ?? .one(nil, length: count) }

  /// Replaces the runs of `range` with one run of `length` items. The tree of items already contains
  /// the edit; `range` has the indices before it.
  mutating func replaceRuns(_ range: Range<Int>, by length: Int, title: String?) {
    guard runs != nil || title != nil else { return }
    let old = count - length + range.count
    let (head, rest) = RunTree.split(runsCovering(old), at: range.lowerBound)
    let tail = RunTree.split(rest, at: range.count).1
    runs = .concatenating(.concatenating(head, .one(title, length: length)), tail)
    dropUntitledRuns()
  }

  /// Sets ``runs`` to nil if no item has a group, so that equal strips have equal runs.
  mutating func dropUntitledRuns() {
    if let runs, runs.run.length == runs.length, runs.run.title == nil { self.runs = nil }
  }
}
