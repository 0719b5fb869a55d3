/// Neighbouring items of one group.
public struct GroupRun: Hashable, Sendable {
  public let title: String

  /// The indices of its items.
  public let range: Range<Int>

  public init(title: String, range: Range<Int>) {
    self.title = title
    self.range = range
  }

  /// Titles compare as bytes of UTF-8.
  public static func == (a: GroupRun, b: GroupRun) -> Bool {
    a.range == b.range && a.title.utf8.elementsEqual(b.title.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(range)
    for byte in title.utf8 { hasher.combine(byte) }
  }
}

extension Strip {
  /// Puts the items of `range` into a group, or with nil into none; it joins its neighbours of
  /// the same title. O(log runs).
  ///
  /// - Precondition: `range` is within the strip.
  public mutating func setGroup(_ title: String?, for range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "A range of a strip is within it.")
    guard runs != nil || title != nil else { return }
    let (head, rest) = RunTree.split(wholeRuns(count), at: range.lowerBound)
    let tail = RunTree.split(rest, at: range.count).1
    runs = .concatenating(.concatenating(head, .one(title, length: range.count)), tail)
    forgetEmptyRuns()
  }

  /// Puts all items into groups anew: runs of a title, or of none, in order.
  ///
  ///     strip.setGroups([("1971", 5), (nil, 1), ("1972", 4)])
  ///
  /// - Precondition: The runs add up to the strip's count.
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
    forgetEmptyRuns()
  }

  /// The run of the item at `index`, or nil when it has no group. O(log runs).
  ///
  /// - Precondition: `index` is in 0 ..< count.
  public func groupRun(at index: Int) -> GroupRun? {
    precondition(index >= 0 && index < count, "An index into a strip is within it.")
    guard let (run, start) = runs?.find(index), let title = run.title else { return nil }
    return GroupRun(title: title, range: start..<start + run.length)
  }

  /// The runs that have a group, in order, from the one that holds or follows `index`.
  ///
  /// - Complexity: O(log runs) for each run taken.
  public func groupRuns(from index: Int) -> GroupRuns {
    GroupRuns(strip: self, index: max(0, index))
  }

  /// The runs of a strip that have a group, in order.
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
  /// The runs over `count` items; one without a title where no item has a group.
  func wholeRuns(_ count: Int) -> RunTree? { runs ?? .one(nil, length: count) }

  /// Puts a run in the place of the runs of `range`, indices of before the edit; the items'
  /// tree is edited already.
  mutating func replaceRuns(_ range: Range<Int>, with new: RunTree?, title: String?) {
    guard runs != nil || title != nil else { return }
    let old = count - (new?.length ?? 0) + range.count
    let (head, rest) = RunTree.split(wholeRuns(old), at: range.lowerBound)
    let tail = RunTree.split(rest, at: range.count).1
    runs = .concatenating(.concatenating(head, new), tail)
    forgetEmptyRuns()
  }

  /// Keeps to one form for "no item has a group", whatever the way there.
  mutating func forgetEmptyRuns() {
    if let runs, runs.run.length == runs.length, runs.run.title == nil { self.runs = nil }
  }
}
