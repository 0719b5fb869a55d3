/// Where an import puts an item by the value of a column: numbers first, then text, the empty last.
/// Equal keys stay in the order they came.
package enum SortKey: Comparable, Sendable {
  case number(Double)
  /// Text, which compares as bytes of UTF-8.
  case text([UInt8])
  case empty

  /// The key of a cell: a number where it reads as a decimal, and empty where nothing is in it.
  package init(_ cell: some BidirectionalCollection<UInt8>) {
    if cell.isEmpty {
      self = .empty
    } else if let number = Double(decimal: cell) {
      self = .number(number)
    } else {
      self = .text(Array(cell))
    }
  }

  package static func < (left: SortKey, right: SortKey) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
    case (.number, .text), (.number, .empty), (.text, .empty): true
    default: false
    }
  }
}

extension Double {
  /// A number as tables write them: `1785`, `007`, `-3.5`, `.5`, `1e3`, with spaces around it or
  /// not; nil for anything else, also for infinities.
  init?(decimal cell: some BidirectionalCollection<UInt8>) {
    let space = UInt8(ascii: " ")
    var digits = cell.drop { $0 == space }[...]
    while digits.last == space { digits.removeLast() }
    guard !digits.isEmpty, digits.allSatisfy(\.isInDecimal),
      let number = Double(String(decoding: digits, as: UTF8.self)), number.isFinite
    else { return nil }
    self = number
  }
}

extension UInt8 {
  fileprivate var isInDecimal: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
