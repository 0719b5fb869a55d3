package import Catalogue
@preconcurrency import Dispatch
import Synchronization
package import Windowing

/// Reads a strip's layout whole: the chunks of its generation, and the log after them.
///
/// A long layout is read in ranges of about as many items. Each thread takes the next range that no thread
/// has taken, and builds a part of the strip while it reads.
///
///     positions   ├── 0 ──┼── 1 ──┼── 2 ──┼── 3 ──┼── 4 ──┤
///     session     ████████████████          ████████          joined: a strip, and where its items are
///     other               ████████████████          ████████
///
/// - Complexity: O(*n*), shared by as many threads as there are sessions; 8 bytes an item are read.
package final class LayoutLoader: Sendable {
  private let generation: Int64
  private let kinds: [String]
  private let itemWidth: Length
  private let progress: LoadProgress?
  private let ranges: [ClosedRange<Int64>]
  private let nextRange = Atomic(0)
  private let parts: Mutex<[KeyedStrip?]>

  /// The strip at the revision of `row`.
  ///
  /// - Parameters:
  ///   - itemWidth: the width of items without a size; that of the row if nil.
  ///   - progress: counts the items that have been read.
  ///   - others: read along; they see the moment that `session` sees.
  ///   - rangeCount: about how many items a range has; by default they take half a millisecond.
  /// - Throws: `.corrupt` if the layout is damaged, or does not begin and end as the items do.
  package static func load(
    _ row: StripRow, itemWidth: Length? = nil, progress: LoadProgress? = nil,
    with others: [any ParallelSQLReader] = [], rangeCount: Int = 100_000,
    _ session: any SQLSession
  ) throws -> KeyedStrip {
    let itemWidth = itemWidth ?? row.settings.itemWidth
    let loader = try LayoutLoader(row, itemWidth, progress, rangeCount, session)
    var placed = try loader.read(session, with: others)
    guard placed.positions.areAscending else {
      throw CatalogueError.corrupt("chunks of its layout overlap")
    }
    let log = try row.changes(after: row.layoutRevision, upTo: row.revision, session)
    try placed.apply(log.merged, itemWidth: itemWidth)
    try placed.positions.check(against: row, session)
    return placed
  }

  /// A damaged row can have any count.
  private static let maximumRangeCount = 100_000

  private init(
    _ row: StripRow, _ itemWidth: Length, _ progress: LoadProgress?, _ rangeCount: Int,
    _ session: any SQLSession
  ) throws {
    generation = row.generation
    kinds = row.kinds
    self.itemWidth = itemWidth
    self.progress = progress
    let bounds = try LayoutChunkStore(session: session, generation: generation).bounds()
    ranges =
      bounds.map { $0.divided(into: min(row.totals.count / rangeCount, Self.maximumRangeCount)) }
      ?? []
    parts = Mutex(Array(repeating: nil, count: ranges.count))
  }

  private func read(
    _ session: any SQLSession, with others: [any ParallelSQLReader]
  ) throws -> KeyedStrip {
    let group = DispatchGroup()
    for other in others.prefix(max(0, ranges.count - 1)) {
      DispatchQueue.global().async(group: group) { [self] in
        other.read { try readRanges($0) }
      }
    }
    defer { group.wait() }
    do {
      try readRanges(session)
    } catch {
      nextRange.store(ranges.count, ordering: .relaxed)
      throw error
    }
    group.wait()
    // If another session has failed in a range, reading it again here says why.
    let parts = try parts.withLock { $0 }.enumerated().map { index, part in
      try part ?? self.part(index, session)
    }
    return parts.count == 1 ? parts[0] : KeyedStrip(kinds: kinds, joining: parts)
  }

  /// Reads ranges until none is left.
  private func readRanges(_ session: any SQLSession) throws {
    while true {
      let index = nextRange.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < ranges.count else { return }
      let part = try part(index, session)
      parts.withLock { $0[index] = part }
    }
  }

  private func part(_ index: Int, _ session: any SQLSession) throws -> KeyedStrip {
    var decoder = LayoutDecoder(kinds: kinds, itemWidth: itemWidth)
    try LayoutChunkStore(session: session, generation: generation).read(
      ranges[index], into: &decoder)
    let made = decoder.finish()
    progress?.add(made.strip.count)
    return made
  }
}

extension KeyedStrip {
  /// Undoes the changes of the last revisions.
  mutating func undo(_ log: [LayoutChanges], itemWidth: Length) throws {
    if let appendedFrom = log.appendedFrom { truncate(at: appendedFrom) }
    try apply(log.inverse, itemWidth: itemWidth)
  }
}

extension OrderKeys {
  /// Makes sure that the layout begins and ends where the items do.
  ///
  /// - Throws: `.corrupt` if rows of one of them are lost.
  /// - Complexity: O(log *n*).
  fileprivate func check(against row: StripRow, _ session: any SQLSession) throws {
    let rows = ItemRows(session, strip: row.number, kinds: row.kinds)
    let first = try rows.positions(after: nil, limit: 1).first
    let last = try rows.positions(before: nil, limit: 1).first
    guard first == (count > 0 ? self[0] : nil), last == (count > 0 ? self[count - 1] : nil) else {
      throw CatalogueError.corrupt(
        "its layout and its items differ in the first or last position")
    }
  }
}

extension ClosedRange<Int64> {
  /// `count` ranges of one length, at least one, which together hold every number.
  fileprivate func divided(into count: Int) -> [ClosedRange<Int64>] {
    let (length, isTooLong) = upperBound.subtractingReportingOverflow(lowerBound)
    let step = length / Int64(Swift.max(1, count)) + 1
    guard count > 1, !isTooLong, step > 1 else { return [.min ... .max] }
    let starts = (1..<Int64(count)).map { lowerBound + $0 * step }.filter { $0 <= upperBound }
    return zip([.min] + starts, starts.map { $0 - 1 } + [.max]).map { $0...$1 }
  }
}
