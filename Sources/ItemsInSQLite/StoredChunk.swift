import Foundation
import GRDB
import Items
import Windowing

/// A row of `layout` as it is read; `LayoutChunk` says what is in it.
struct StoredChunk {
  let place: Positions.Chunk
  let sizes: Data
  /// Neighbouring items of a group, or of none; they add up to the count.
  let runs: [(title: String?, count: Int)]

  /// The columns that make one, in any order.
  static let columns = "position, count, step, sizes, groups, positions"

  /// - Throws: `.corrupt` where the row is none of ours.
  init(_ row: Row) throws {
    let count: Int = try row.required("count")
    let first: Int64 = try row.required("position")
    let step: Int64 = try row.required("step")
    sizes = try row.required("sizes")
    guard 1...1_000_000 ~= count, first.magnitude <= 1 << 62, 1...(1 << 40) ~= step,
      sizes.count == 8 * count
    else { throw Self.damaged }
    if let positions: Data = try row.optional("positions") {
      place = Positions.Chunk(
        count: count, first: first, spacing: .each(try Self.positions(positions, count, first)))
    } else {
      place = Positions.Chunk(count: count, first: first, spacing: .even(step))
    }
    guard let groups: Data = try row.optional("groups") else {
      runs = [(nil, count)]
      return
    }
    guard let runs = Self.runs(Array(groups)), runs.reduce(0, { $0 + $1.count }) == count else {
      throw Self.damaged
    }
    self.runs = runs
  }

  private static func positions(_ data: Data, _ count: Int, _ first: Int64) throws -> [Int64] {
    guard data.count == 8 * count else { throw damaged }
    let positions = data.withUnsafeBytes { bytes in
      (0..<count).map {
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self))
      }
    }
    guard positions[0] == first, zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw damaged }
    return positions
  }

  /// The size and kind of each item.
  var packed: [PackedItem] {
    sizes.withUnsafeBytes { bytes in
      (0..<place.count).map {
        PackedItem(
          bits: UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)))
      }
    }
  }

  /// The items as a strip has them.
  func items(itemWidth: Length, kinds: Int) throws -> [StripItem] {
    try sizes.withUnsafeBytes { bytes in
      var items: [StripItem] = []
      items.reserveCapacity(place.count)
      for place in 0..<place.count {
        let bits = bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)
        guard
          let item = PackedItem(bits: UInt64(littleEndian: bits))
            .item(itemWidth: itemWidth, kinds: kinds)
        else { throw Self.damaged }
        items.append(item)
      }
      return items
    }
  }

  /// The runs that `groups` holds; nil when it is none of ours.
  private static func runs(_ groups: [UInt8]) -> [(title: String?, count: Int)]? {
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

  private static var damaged: CatalogueError { .corrupt("a row of the layout is damaged") }
}
