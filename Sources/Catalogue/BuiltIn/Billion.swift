import Items
import Views
import Windowing

extension BuiltIn {
  static func billion(version: String) throws(CatalogueError) -> Snapshot {
    var settings = StripSettings(title: "A billion")
    settings.gap = .px(8)
    let pattern = (0..<NumberedItems.period).map {
      StripItem(
        size: ItemSize(aspect: .zero, width: NumberedItems.width(at: $0)), kind: Kind(number: 0))
    }
    return Snapshot(
      name: "billion", settings: settings,
      revision: revision(version: version, rule: NumberedItems.rule.utf8),
      strip: Strip(kinds: [KindName.card], repeating: pattern, count: NumberedItems.count),
      source: NumberedItems())
  }
}

/// The items of `billion`: the numbers from one to a billion.
///
/// The item at index i has the number i + 1 and the width 72 + (i mod 1000)³ mod 167 px. Because 3 does
/// not divide 166, cubing permutes the remainders of 167: all widths from 72 to 238 px occur, in an
/// order that looks random.
private struct NumberedItems: NonblockingItemSource {
  static let count = 1_000_000_000
  var count: Int { Self.count }
  static let period = 1000
  static let rule = "n, No. n, 72 + cube of (n - 1) mod 1000, mod 167 px, seven colours"

  static func width(at index: Int) -> Length {
    let number = index % period
    return .px(72 + number * number * number % 167)
  }

  private static let colors: [StaticString] = [
    "#5b7a99", "#7a6f9b", "#9b6f7f", "#a07a5a", "#8a8a55", "#5f8f6b", "#4f8a8b",
  ]

  func read(at sortKeys: [Int64], _ body: (ItemBytes) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: NumberText.capacity, alignment: 1) { buffer in
      for index in sortKeys.lazy.map({ Int($0) }) {
        var text = NumberText(buffer)
        text.raw("n")
        text.decimal(index + 1)
        let idCount = text.count
        text.raw(#"{"title":"No. "#)
        text.grouped(index + 1)
        text.raw(#"","subtitle":""#)
        // Widths are whole numbers of px.
        text.decimal(Int(Self.width(at: index).units / 64))
        text.raw(#" px","color":""#)
        text.raw(Self.colors[index % Self.colors.count])
        text.raw(#""}"#)
        let bytes = UnsafeRawBufferPointer(buffer)
        body(
          ItemBytes(
            id: UnsafeRawBufferPointer(rebasing: bytes[..<idCount]),
            fields: UnsafeRawBufferPointer(rebasing: bytes[idCount..<text.count])))
      }
    }
  }

  func items(at sortKeys: [Int64]) throws(CatalogueError) -> [Item] {
    var fields: [Fields] = []
    read(at: sortKeys) { fields.append(Fields(written: Array($0.fields))) }
    return try zip(sortKeys, fields).map { sortKey, fields throws(CatalogueError) in
      try Item(id: "n\(sortKey + 1)", width: Self.width(at: Int(sortKey)), fields: fields)
    }
  }

  func index(of id: String) -> Int? { BuiltIn.index(of: id, after: "n", count: Self.count) }
}

private struct NumberText {
  /// More bytes than the id and fields of an item can have.
  static let capacity = 128

  private let start: UnsafeMutablePointer<UInt8>
  private var next: UnsafeMutablePointer<UInt8>

  var count: Int { next - start }

  init(_ buffer: UnsafeMutableRawBufferPointer) {
    precondition(buffer.count >= Self.capacity, "The buffer is smaller than the capacity.")
    start = buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
    next = start
  }

  @inline(__always)
  mutating func raw(_ text: StaticString) {
    next.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    next += text.utf8CodeUnitCount
  }

  /// - Precondition: The number is not negative.
  @inline(__always)
  mutating func decimal(_ number: Int) {
    next = DecimalDigits.write(UInt64(number), to: next)
  }

  @inline(__always)
  mutating func grouped(_ number: Int) {
    let first = next
    decimal(number)
    // Each group moves after the commas before it, the last group first.
    var group = next
    var commas = (next - first - 1) / 3
    next += commas
    while commas > 0 {
      group -= 3
      let (a, b, c) = (group[0], group[1], group[2])
      let moved = group + commas
      (moved[-1], moved[0], moved[1], moved[2]) = (UInt8(ascii: ","), a, b, c)
      commas -= 1
    }
  }
}
