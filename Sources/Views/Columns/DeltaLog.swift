import Items

/// The items that recent revisions of a strip touched.
struct DeltaLog {
  private struct Entry {
    let revision: Int64
    let sortKeys: [Int64]
    let appendedFrom: Int64?
  }

  /// The revision before the first entry.
  private var start: Int64
  private var entries: [Entry] = []
  private var sortKeyCount = 0

  /// In bytes.
  var cost: Int { 12 * sortKeyCount }

  /// The most sort keys. Each entry counts as four more sort keys.
  private static let limit = 200_000

  init(at revision: Int64) { start = revision }

  mutating func append(_ sortKeys: [Int64], appendedFrom: Int64?, at revision: Int64) {
    entries.append(Entry(revision: revision, sortKeys: sortKeys, appendedFrom: appendedFrom))
    sortKeyCount += sortKeys.count + 4
    guard sortKeyCount > Self.limit else { return }
    // Dropping half at once keeps the amortized cost of an entry constant.
    var dropped = 0
    while sortKeyCount > Self.limit / 2, dropped < entries.count - 1 {
      sortKeyCount -= entries[dropped].sortKeys.count + 4
      start = entries[dropped].revision
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// The sort keys in ascending order, and the least `appendedFrom`. Nil if the log starts after `first`.
  func changes(between first: Int64, and last: Int64) -> (sortKeys: [Int64], appendedFrom: Int64?)?
  {
    guard first >= start else { return nil }
    // An entry covers all revisions after the previous entry.
    let begin = (entries.lastIndex { $0.revision <= first } ?? -1) + 1
    let end = (entries[begin...].firstIndex { $0.revision >= last } ?? entries.count - 1) + 1
    let found = entries[begin..<end]
    // The common case: one edit since the last view.
    if found.count == 1 { return (found[begin].sortKeys, found[begin].appendedFrom) }
    return (Set(found.flatMap(\.sortKeys)).sorted(), found.compactMap(\.appendedFrom).min())
  }
}
