import Foundation
import GRDB
import Items
import Windowing

/// Up to a thousand neighbouring items of a strip, gathered to be one row of `layout`.
///
/// `sizes` are packed items, 8 bytes each, little-endian. `groups` is nil where no item has a group, else
/// runs that add up to the count: the number of items, the bytes of the title (4 bytes each,
/// little-endian; all ones for no group), and the title. `positions` is nil where the items are
/// `step` apart, else where each is, 8 bytes little-endian.
struct LayoutChunk {
  static let capacity = 1000

  private(set) var count = 0
  private var sizes = Data()
  private var runs: [(title: String?, count: Int)] = []
  private var positions: [Int64] = []

  init() { sizes.reserveCapacity(8 * Self.capacity) }

  /// Goes on with what a row of `layout` holds.
  init(_ stored: StoredChunk) {
    count = stored.place.count
    sizes = stored.sizes
    runs = stored.runs
    positions = stored.place.positions
  }

  mutating func append(_ item: PackedItem, group: String?, position: Int64) {
    withUnsafeBytes(of: item.bits.littleEndian) { sizes.append(contentsOf: $0) }
    count += 1
    positions.append(position)
    if let last = runs.last, last.title.isSameGroup(as: group) {
      runs[runs.count - 1].count += 1
    } else {
      runs.append((group, 1))
    }
  }

  /// Writes the row.
  func write(_ db: Database, strip: Int64) throws {
    guard let place = Positions.Chunk(positions) else { return }
    let step: Int64? = if case .even(let step) = place.spacing { step } else { nil }
    try db.cachedStatement(
      sql: """
        INSERT INTO layout (strip, position, count, step, sizes, groups, positions)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      strip, place.first, count, step ?? 1, sizes, groups, step == nil ? spelledPositions : nil,
    ])
  }

  private var spelledPositions: Data {
    positions.map(\.littleEndian).withUnsafeBytes { Data($0) }
  }

  private var groups: Data? {
    guard runs.contains(where: { $0.title != nil }) else { return nil }
    var data = Data()
    func append(_ number: UInt32) {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    for run in runs {
      append(UInt32(run.count))
      append(run.title.map { UInt32($0.utf8.count) } ?? .max)
      data.append(contentsOf: (run.title ?? "").utf8)
    }
    return data
  }
}
