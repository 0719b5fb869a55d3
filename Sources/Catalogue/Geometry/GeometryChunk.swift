package import Items
package import Views

/// Some neighbouring items of a strip without their fields: a row of the table `layout`.
///
/// The chunks of a strip are its geometry, from which windows are computed. They have the sort key, the size, the kind and
/// the group of each item.
///
///     GeometryChunk.Builder   items, appended one by one
///           ↓ columns
///     GeometryChunk.Columns   a row of the table, encoded
///           ↓ init
///     GeometryChunk           sort keys, groups and sizes
package struct GeometryChunk: Sendable {
  /// The most items that a store writes into a chunk.
  package static let capacity = 1000

  let decoded: DecodedColumns
  /// The sizes and kinds as `Columns` encodes them.
  let encodedSizes: [UInt8]

  package init(_ columns: Columns) throws(CatalogueError) {
    guard columns.sizes.count == 8 * columns.count else { throw DecodedColumns.damaged }
    encodedSizes = columns.sizes
    decoded = try DecodedColumns(
      sortKey: columns.sortKey, count: columns.count, step: columns.step, groups: columns.groups,
      sortKeys: columns.sortKeys)
  }

  package var sortKeys: SortKeys.Chunk { decoded.sortKeys }

  /// The item at a sort key; nil if there is none.
  package func state(at sortKey: Int64) -> GeometryChange.State? {
    let index = sortKeys.offset(notBefore: sortKey)
    guard index < sortKeys.count, sortKeys[index] == sortKey else { return nil }
    let size = encodedSizes.withUnsafeBytes { PackedSizeAndKind(at: index, of: $0) }
    var end = 0
    let run = decoded.runs.first { run in
      end += run.count
      return index < end
    }
    return GeometryChange.State(size, group: run?.title)
  }
}

// MARK: - Columns

extension GeometryChunk {
  /// A chunk as the columns of a row. Numbers are little-endian.
  package struct Columns: Sendable {
    package let sortKey: Int64
    package let count: Int
    /// The difference of neighbouring sort keys; not used if `sortKeys` is not nil.
    package let step: Int64
    /// A `PackedSizeAndKind` of 8 bytes for each item.
    package let sizes: [UInt8]
    /// Runs of items in one group: the count (4 bytes), the title's length in bytes (4 bytes; all ones
    /// for no group), and the title. The counts add up to `count`. Nil if no item has a group.
    package let groups: [UInt8]?
    /// The sort key of each item, 8 bytes each. Nil if all sort keys are `step` apart.
    package let sortKeys: [UInt8]?

    package init(
      sortKey: Int64, count: Int, step: Int64, sizes: [UInt8], groups: [UInt8]?,
      sortKeys: [UInt8]?
    ) {
      self.sortKey = sortKey
      self.count = count
      self.step = step
      self.sizes = sizes
      self.groups = groups
      self.sortKeys = sortKeys
    }
  }

  /// The columns of a chunk, decoded, except the sizes, which `GeometryDecoder` decodes.
  package struct DecodedColumns: Sendable {
    package let sortKeys: SortKeys.Chunk
    /// Runs of items that are in the same group, or in none.
    package let runs: [(title: String?, count: Int)]

    /// - Throws: `.corrupt` if the columns are damaged.
    package init(
      sortKey: Int64, count: Int, step: Int64, groups: [UInt8]?, sortKeys: [UInt8]?
    ) throws(CatalogueError) {
      guard 1...1_000_000 ~= count, sortKey.magnitude <= 1 << 62, 1...(1 << 40) ~= step
      else { throw Self.damaged }
      if let sortKeys {
        let sortKeys = try Self.decode(sortKeys: sortKeys, count)
        guard sortKeys[0] == sortKey else { throw Self.damaged }
        self.sortKeys = SortKeys.Chunk(count: count, first: sortKey, spacing: .each(sortKeys))
      } else {
        self.sortKeys = SortKeys.Chunk(count: count, first: sortKey, spacing: .even(step))
      }
      if let groups { runs = try Self.decode(groups: groups) } else { runs = [(nil, count)] }
      guard runs.reduce(0, { $0 + $1.count }) == count else { throw Self.damaged }
    }

    private static func decode(
      sortKeys bytes: [UInt8], _ count: Int
    ) throws(CatalogueError) -> [Int64] {
      var reader = ByteReader(bytes, of: damaged)
      let sortKeys = try reader.numbers(Int64.self, count)
      guard reader.isAtEnd, zip(sortKeys, sortKeys.dropFirst()).allSatisfy({ $0 < $1 }),
        sortKeys[count - 1] <= 1 << 62
      else { throw damaged }
      return sortKeys
    }

    private static func decode(
      groups: [UInt8]
    ) throws(CatalogueError) -> [(title: String?, count: Int)] {
      var runs: [(title: String?, count: Int)] = []
      var reader = ByteReader(groups, of: damaged)
      while !reader.isAtEnd {
        let (count, length) = (try reader.number(UInt32.self), try reader.number(UInt32.self))
        guard count > 0 else { throw damaged }
        let title = length == .max ? nil : try reader.text(Int(length))
        runs.append((title, Int(count)))
      }
      return runs
    }

    static var damaged: CatalogueError { .corrupt("a row of the layout is damaged") }
  }
}

// MARK: - Building

extension GeometryChunk {
  /// Encodes neighbouring items as the columns of a chunk.
  package struct Builder {
    package private(set) var count = 0
    private var sizes: [UInt8] = []
    private var runs: [(title: String?, count: Int)] = []
    private var sortKeys: [Int64] = []

    package init() {}

    package init(_ chunk: GeometryChunk) { append(chunk, 0..<chunk.sortKeys.count) }

    /// - Precondition: Sort keys ascend.
    package mutating func append(_ state: GeometryChange.State, at sortKey: Int64) {
      sizes.append(littleEndian: state.item.bits)
      sortKeys.append(sortKey)
      append(1, in: state.group)
    }

    /// Appends some items of a chunk, after all others.
    ///
    /// - Complexity: a copy of 16 bytes for each item, and O(groups of the chunk).
    package mutating func append(_ chunk: GeometryChunk, _ range: Range<Int>) {
      sizes += chunk.encodedSizes[8 * range.lowerBound..<8 * range.upperBound]
      for index in range { sortKeys.append(chunk.sortKeys[index]) }
      var start = 0
      for run in chunk.decoded.runs {
        append(range.clamped(to: start..<start + run.count).count, in: run.title)
        start += run.count
      }
    }

    private mutating func append(_ count: Int, in group: String?) {
      guard count > 0 else { return }
      self.count += count
      if let last = runs.last, last.title.isSameGroup(as: group) {
        runs[runs.count - 1].count += count
      } else {
        runs.append((group, count))
      }
    }

    /// The chunk; nil if there are no items.
    package var columns: Columns? {
      guard let spaced = SortKeys.Chunk(sortKeys) else { return nil }
      let step: Int64? = if case .even(let step) = spaced.spacing { step } else { nil }
      return Columns(
        sortKey: spaced.first, count: count, step: step ?? 1, sizes: sizes, groups: encodedGroups,
        sortKeys: step == nil ? [UInt8](littleEndian: sortKeys) : nil)
    }

    private var encodedGroups: [UInt8]? {
      guard runs.contains(where: { $0.title != nil }) else { return nil }
      var bytes: [UInt8] = []
      for run in runs {
        bytes.append(littleEndian: UInt32(run.count))
        bytes.append(littleEndian: run.title.map { UInt32($0.utf8.count) } ?? .max)
        bytes += (run.title ?? "").utf8
      }
      return bytes
    }
  }
}
