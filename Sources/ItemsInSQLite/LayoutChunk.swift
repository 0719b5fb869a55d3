import Foundation
import GRDB
import Items
import Windowing

/// Up to a thousand neighbouring items of a strip, gathered to be one row of `layout`.
///
///      63       57 56   51 50                 27 26                    0
///     ┌───────────┬───────┬─────────────────────┬───────────────────────┐
///     │     0     │ kind  │ width + 1, 1/64 px  │ aspect + 1, 1/65536   │    `sizes`: 8 bytes an item,
///     └───────────┴───────┴─────────────────────┴───────────────────────┘    little-endian
///
/// Where aspect or width is absent, its part is 0. `groups` is nil where no item has a group, else
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

  /// Writes the row, which holds from revision `since` on.
  func write(_ db: Database, strip: Int64, since: Int64) throws {
    guard let first = positions.first else { return }
    let step = evenStep
    try db.cachedStatement(
      sql: """
        INSERT INTO layout (strip, position, count, step, sizes, groups, positions, since)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      strip, first, count, step ?? 1, sizes, groups, step == nil ? spelledPositions : nil, since,
    ])
  }

  /// How far apart all the items are; nil where they are not evenly spaced.
  private var evenStep: Int64? {
    guard positions.count > 1 else { return Schema.step }
    let step = positions[1] - positions[0]
    guard step <= 1 << 40 else { return nil }
    return (2..<positions.count).allSatisfy { positions[$0] - positions[$0 - 1] == step }
      ? step : nil
  }

  private var spelledPositions: Data {
    var data = Data(capacity: 8 * count)
    for position in positions {
      withUnsafeBytes(of: position.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
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

extension String? {
  /// Whether both are the same group, bytes compared.
  func isSameGroup(as other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let title?, let other?): title.utf8.elementsEqual(other.utf8)
    default: false
    }
  }
}
