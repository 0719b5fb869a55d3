import Foundation
import Items
import Windowing

/// Up to a thousand neighbouring items of a strip as one row of `layout` holds them.
///
///      63       57 56   51 50                 27 26                    0
///     ┌───────────┬───────┬─────────────────────┬───────────────────────┐
///     │     0     │ kind  │ width + 1, 1/64 px  │ aspect + 1, 1/65536   │    `sizes`: 8 bytes an item,
///     └───────────┴───────┴─────────────────────┴───────────────────────┘    little-endian
///
/// Where aspect or width is absent, its part is 0. `groups` is nil where no item has a group, else
/// runs that add up to the count: the number of items, the bytes of the title (4 bytes each,
/// little-endian; all ones for no group), and the title.
struct LayoutChunk {
  static let capacity = 1000

  private(set) var count = 0
  private(set) var sizes = Data()
  private var runs: [(title: String?, count: Int)] = []

  init() { sizes.reserveCapacity(8 * Self.capacity) }

  /// The chunk that a row of `layout` holds; nil when it is none of ours.
  init?(sizes: Data, groups: Data?) {
    self.sizes = sizes
    count = sizes.count / 8
    runs = [(nil, count)]
    if let groups {
      guard let runs = Self.runs(Array(groups)) else { return nil }
      self.runs = runs
    }
    guard runs.reduce(0, { $0 + $1.count }) == count, sizes.count == 8 * count else { return nil }
  }

  mutating func append(_ item: PackedItem, group: String?) {
    withUnsafeBytes(of: item.bits.littleEndian) { sizes.append(contentsOf: $0) }
    count += 1
    if let last = runs.last, last.title.isSameGroup(as: group) {
      runs[runs.count - 1].count += 1
    } else {
      runs.append((group, 1))
    }
  }

  var groups: Data? {
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

  /// The runs that `groups` holds; nil when it is none of ours.
  static func runs(_ groups: [UInt8]) -> [(title: String?, count: Int)]? {
    var runs: [(title: String?, count: Int)] = []
    var rest = groups[...]
    func number() -> Int? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    while !rest.isEmpty {
      guard let count = number(), let length = number() else { return nil }
      guard length != UInt32.max else {
        runs.append((nil, count))
        continue
      }
      guard rest.count >= length,
        let title = String(validating: rest.prefix(length), as: UTF8.self)
      else { return nil }
      rest = rest.dropFirst(length)
      runs.append((title, count))
    }
    return runs
  }
}

/// The size and kind of an item in eight bytes, as `LayoutChunk` draws them.
struct PackedItem {
  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  init(aspect: Aspect?, width: Length?, kind: Int) {
    bits =
      UInt64(kind) << 51 | (width.map { UInt64($0.units) + 1 } ?? 0) << 27
      | (aspect.map { UInt64($0.units) + 1 } ?? 0)
  }

  /// What the item is in a strip; nil when these bits are none of ours.
  func item(itemWidth: Length, kinds: Int) -> StripItem? {
    let aspect = UInt32(truncatingIfNeeded: bits & 0x7FF_FFFF)
    let width = Int64(bits >> 27 & 0xFF_FFFF)
    let kind = Int(bits >> 51)
    guard aspect <= Aspect.widest.units + 1, width <= ItemSize.widest.units + 1, kind < kinds
    else { return nil }
    let isBare = aspect == 0 && width == 0
    return StripItem(
      size: ItemSize(
        aspect: Aspect(units: aspect == 0 ? 0 : aspect - 1),
        width: isBare ? itemWidth : Length(units: max(width - 1, 0))),
      kind: Kind(number: kind))
  }
}

extension String? {
  /// Whether both are the same group, bytes compared.
  fileprivate func isSameGroup(as other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let title?, let other?): title.utf8.elementsEqual(other.utf8)
    default: false
    }
  }
}
