package import Items
import Windowing

/// Reads the items of a file for an import.
package protocol ItemReader {
  /// The line at which the last record begins, or at which reading failed; from 1.
  var line: Int { get }

  /// The last line that this record takes. A quote that is not closed can take many.
  var lastLine: Int { get }

  /// Whether the file has ended inside a record, which may have swallowed others.
  var endsOpen: Bool { get }

  /// - Returns: nil at the end.
  /// - Throws: `.invalid` for a record that is not an item; the next call reads the next record. After
  ///   another error, reading cannot continue.
  mutating func next() throws(CatalogueError) -> ParsedItem?
}

extension ItemReader {
  package var lastLine: Int { line }
  package var endsOpen: Bool { false }
}

/// An item from a file, with the values that an import needs besides it.
package struct ParsedItem: Sendable {
  package var item: Item
  /// The name of the item's strip, if the file says it.
  package var strip: String?
  /// The title of that strip, if the file says more than its name.
  package var stripTitle: String?
  package var sortValue = SortValue.empty
  /// Whether the aspect was outside `--aspect-range`.
  package var wasClamped: Bool

  package init(item: Item, strip: String? = nil, wasClamped: Bool = false) {
    self.item = item
    self.strip = strip
    self.wasClamped = wasClamped
  }
}

package struct ReadingOptions: Sendable {
  /// The range that aspects are clamped to, ends included.
  package var aspectRange: ClosedRange<Double>?
  /// The column to sort by; in JSON Lines, the member or field.
  package var sort: String?
  /// The column that names each item's strip; in JSON Lines, the member.
  package var strip: String?
  /// The ASCII character between the cells of a CSV file; a comma if nil.
  package var delimiter: UInt8?
  /// The encoding that the text had, for errors; nil for UTF-8.
  package var encoding: String?

  package init(
    aspectRange: ClosedRange<Double>? = nil, sort: String? = nil, strip: String? = nil,
    delimiter: UInt8? = nil, encoding: String? = nil
  ) {
    self.aspectRange = aspectRange
    self.sort = sort
    self.strip = strip
    self.delimiter = delimiter
    self.encoding = encoding
  }

  /// The aspect in `aspectRange` that is nearest to `ratio`, and whether it differs.
  ///
  /// - Throws: `.invalid` if the ratio is negative, or above 1000 without a range.
  func clamped(_ ratio: Double) throws(CatalogueError) -> (aspect: Aspect, wasClamped: Bool) {
    guard let aspectRange, ratio >= 0 else {
      guard ratio.isNaN || ratio <= 1000 else {
        throw .invalid("aspect: \(ratio.shortText) is above 1000; --aspect-range clamps it")
      }
      return (try Aspect(checking: ratio), false)
    }
    let clamped = min(max(ratio, aspectRange.lowerBound), aspectRange.upperBound)
    return (try Aspect(checking: clamped), clamped != ratio)
  }
}

/// Reads a JSON Lines file: one object a line. Blank lines are skipped.
package struct JSONLinesItemReader: ItemReader {
  package private(set) var line = 1
  private var stream: ByteStream
  private let options: ReadingOptions

  /// - Throws: `.invalid` if the file is a JSON array.
  package init(
    _ stream: ByteStream, options: ReadingOptions = ReadingOptions()
  ) throws(CatalogueError) {
    self.stream = stream
    self.options = options
    while let byte = try self.stream.peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      _ = try self.stream.next()
    }
    guard try self.stream.peek() != UInt8(ascii: "[") else {
      throw .invalid(
        "the file is a JSON array. JSON Lines has one object a line, without brackets and commas: "
          + "jq -c '.[]' FILE writes that")
    }
  }

  package mutating func next() throws(CatalogueError) -> ParsedItem? {
    repeat {
      line = stream.line
      guard let text = try stream.nextLine() else { return nil }
      if text.contains(where: { $0 != 0x20 && $0 != 0x09 }) { return try read(text) }
    } while true
  }

  private func read(_ text: [UInt8]) throws(CatalogueError) -> ParsedItem {
    if let encoding = options.encoding, !text.withUnsafeBytes(\.isUTF8) {
      throw .invalid("the text is not valid \(encoding)")
    }
    let (item, strip) = try Item.read(text, stripMember: options.strip)
    var read = ParsedItem(item: item, strip: strip)
    if let member = options.strip {
      guard let strip else { throw .invalid("\(member): it is missing") }
      try StripName.check(strip)
    }
    if let aspect = item.aspect {
      read.item.aspect = try options.clamped(aspect.ratio).aspect
      read.wasClamped = read.item.aspect != aspect
    }
    if let sort = options.sort {
      read.sortValue = SortValue(read.item.value(of: FieldName(sort))?.text ?? [])
    }
    return read
  }
}

/// The key of an item for `--sort`: numbers come first, then text, then empty cells.
package enum SortValue: Comparable, Sendable {
  case number(Double)
  /// Text, compared as bytes of UTF-8.
  case text([UInt8])
  case empty

  package init(_ cell: some BidirectionalCollection<UInt8>) {
    if cell.isEmpty {
      self = .empty
    } else if let number = Double(decimal: cell) {
      self = .number(number)
    } else {
      self = .text(Array(cell))
    }
  }

  package static func < (left: SortValue, right: SortValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
    case (.number, .text), (.number, .empty), (.text, .empty): true
    default: false
    }
  }
}

extension Double {
  /// A number as tables write it: `1785`, `007`, `-3.5`, `.5`, `1e3`, also between spaces. Nil for
  /// anything else, and for infinities.
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
  fileprivate var isInDecimal: Bool { isDigit || "+-.eE".utf8.contains(self) }
}
