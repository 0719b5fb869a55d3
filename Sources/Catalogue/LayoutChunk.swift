/// A row of a store's table of layouts: up to a thousand neighbouring items.
///
/// `sizes` are packed items, 8 bytes each, little-endian. `groups` is nil where no item has a group,
/// else runs that add up to the count: the number of items, the bytes of the title (4 bytes each,
/// little-endian; all ones for no group), and the title. `positions` is nil where the items are
/// `step` apart, else where each is, 8 bytes little-endian.
package struct LayoutRow: Sendable {
  /// Of the first item.
  package let position: Int64
  package let count: Int
  package let step: Int64
  package let sizes: [UInt8]
  package let groups: [UInt8]?
  package let positions: [UInt8]?

  package init(
    position: Int64, count: Int, step: Int64, sizes: [UInt8], groups: [UInt8]?,
    positions: [UInt8]?
  ) {
    self.position = position
    self.count = count
    self.step = step
    self.sizes = sizes
    self.groups = groups
    self.positions = positions
  }
}

/// Neighbouring items, gathered to be one row of a layout.
package struct LayoutChunk {
  package static let capacity = 1000

  package private(set) var count = 0
  private var sizes: [UInt8] = []
  private var runs: [(title: String?, count: Int)] = []
  private var positions: [Int64] = []

  package init() {}

  /// Goes on with what a row of a layout holds.
  package init(_ stored: StoredChunk) {
    for ((item, position), group) in zip(
      zip(stored.sizes, stored.place.positions), stored.groups)
    {
      append(LayoutChange.State(item, group: group), at: position)
    }
  }

  package mutating func append(_ state: LayoutChange.State, at position: Int64) {
    sizes.append(number: state.item.bits)
    count += 1
    positions.append(position)
    if let last = runs.last, last.title.isSameGroup(as: state.group) {
      runs[runs.count - 1].count += 1
    } else {
      runs.append((state.group, 1))
    }
  }

  /// The row; nil for no items.
  package var row: LayoutRow? {
    guard let place = Positions.Chunk(positions) else { return nil }
    let step: Int64? = if case .even(let step) = place.spacing { step } else { nil }
    return LayoutRow(
      position: place.first, count: count, step: step ?? 1, sizes: sizes, groups: groups,
      positions: step == nil ? spelledPositions : nil)
  }

  private var spelledPositions: [UInt8] {
    var bytes: [UInt8] = []
    for position in positions { bytes.append(number: position) }
    return bytes
  }

  private var groups: [UInt8]? {
    guard runs.contains(where: { $0.title != nil }) else { return nil }
    var bytes: [UInt8] = []
    for run in runs {
      bytes.append(number: UInt32(run.count))
      bytes.append(number: run.title.map { UInt32($0.utf8.count) } ?? .max)
      bytes += (run.title ?? "").utf8
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
