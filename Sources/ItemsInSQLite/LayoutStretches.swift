import Catalogue
@preconcurrency import Dispatch
import GRDB
import Synchronization
import Windowing

/// A layout in stretches of about as many items, for several connections to read: each takes the
/// next one that nobody has taken, and makes a part of the strip of it as it reads.
///
///     positions   ├── 0 ──┼── 1 ──┼── 2 ──┼── 3 ──┼── 4 ──┤
///     reader      ████████████████          ████████          joined: a strip, and where its items
///     companion           ████████████████          ████████  are
///
/// What one reads stays in the memory next to its processor until it is unpacked and summed up. A
/// layout of one stretch needs no companion.
///
/// - Complexity: O(*n*), shared by as many threads as there are readers.
final class LayoutStretches: Sendable {
  private let strip: Int64
  private let kinds: [String]
  private let itemWidth: Length
  private let progress: LoadProgress?
  /// How many items a stretch has, about.
  private let size: Int
  private let ranges: [ClosedRange<Int64>]
  /// How many of them have been taken.
  private let taken = Atomic(0)
  private let parts: Mutex<[PlacedStrip?]>

  /// - Parameters:
  ///   - progress: is told how many items have been read.
  ///   - size: how many items a stretch is to have: a hundred thousand take half a millisecond.
  init(
    of row: StripRow, kinds: [String], itemWidth: Length, progress: LoadProgress? = nil,
    size: Int = 100_000, _ db: Database
  ) throws {
    strip = row.number
    self.kinds = kinds
    self.itemWidth = itemWidth
    self.progress = progress
    self.size = size
    let ends = try LayoutRows(db, strip: strip).ends()
    ranges = ends.map { $0.stretches(row.totals.count / size) } ?? []
    parts = Mutex(Array(repeating: nil, count: ranges.count))
  }

  /// Reads all of them, in the caller's transaction and with companions that looked at the database
  /// before it began.
  ///
  /// - Throws: what is wrong with any of them.
  func read(_ db: Database, with companions: [ParallelReader]) throws -> PlacedStrip {
    let others = DispatchGroup()
    for companion in companions.prefix(max(0, ranges.count - 1)) {
      DispatchQueue.global().async(group: others) { [self] in
        companion.read { try readOn($0) }
      }
    }
    defer { others.wait() }
    do {
      try readOn(db)
    } catch {
      taken.store(ranges.count, ordering: .relaxed)
      throw error
    }
    others.wait()
    // Where a companion has failed, what it was at is left: whoever reads it here says why.
    let parts = try parts.withLock { $0 }.enumerated().map { place, part in
      try part ?? self.part(place, db)
    }
    return parts.count == 1 ? parts[0] : PlacedStrip(kinds: kinds, joining: parts)
  }

  /// Reads what nobody has taken yet.
  private func readOn(_ db: Database) throws {
    var memory = MemoryAhead()
    while true {
      let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
      guard place < ranges.count else { return }
      // An item takes 8 bytes in a piece, and some more in what stands above the pieces.
      if ranges.count > 1 { memory.expect(12 * size) }
      let part = try part(place, db)
      parts.withLock { $0[place] = part }
    }
  }

  private func part(_ place: Int, _ db: Database) throws -> PlacedStrip {
    var part = LayoutPart(kinds: kinds, itemWidth: itemWidth)
    try LayoutRows(db, strip: strip).read(ranges[place], into: &part)
    let made = part.finish()
    progress?.add(made.strip.count)
    return made
  }
}

extension ClosedRange<Int64> {
  /// As many ranges of one length, at least one, which together hold every number there is.
  fileprivate func stretches(_ count: Int) -> [ClosedRange<Int64>] {
    let (length, isTooLong) = upperBound.subtractingReportingOverflow(lowerBound)
    let step = length / Int64(Swift.max(1, count)) + 1
    guard count > 1, !isTooLong, step > 1 else { return [.min ... .max] }
    let starts = (1..<Int64(count)).map { lowerBound + $0 * step }.filter { $0 <= upperBound }
    return zip([.min] + starts, starts.map { $0 - 1 } + [.max]).map { $0...$1 }
  }
}
