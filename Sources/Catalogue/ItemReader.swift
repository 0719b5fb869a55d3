/// Items out of a file, one after the other: what an import reads.
package protocol ItemReader {
  /// The line on which the record begins that was read last, or at which reading failed; from 1.
  var line: Int { get }

  /// Whether the file has ended within a record, which may have swallowed others.
  var endsOpen: Bool { get }

  /// The next item; nil at the end.
  ///
  /// - Throws: `.invalid` for a record that is no item; the next call goes on behind it. Any other
  ///   error ends the reading.
  mutating func next() throws(CatalogueError) -> ReadItem?
}

extension ItemReader {
  package var endsOpen: Bool { false }
}

/// An item as it came out of a file.
package struct ReadItem: Sendable {
  package var item: Item
  /// The strip that it is for, where the file says so.
  package var strip: String?
  /// What the file calls that strip, where it need not be the name.
  package var stripTitle: String?
  /// Where `--sort` puts it.
  package var order = SortKey.empty
  /// Whether its aspect lay outside the range it was to be brought into.
  package var wasBroughtIntoRange: Bool

  package init(item: Item, strip: String? = nil, wasBroughtIntoRange: Bool = false) {
    self.item = item
    self.strip = strip
    self.wasBroughtIntoRange = wasBroughtIntoRange
  }
}

/// What readers do with the numbers and the order of items, whatever the format.
package struct ReadingOptions: Sendable {
  /// The range that aspects are brought into, ends included.
  package var aspectRange: ClosedRange<Double>?
  /// The column, or in JSON Lines the member or field, that items are sorted by.
  package var sort: String?
  /// The column, or in JSON Lines the member, that names the strip of each item.
  package var strip: String?

  package init(
    aspectRange: ClosedRange<Double>? = nil, sort: String? = nil, strip: String? = nil
  ) {
    self.aspectRange = aspectRange
    self.sort = sort
    self.strip = strip
  }

  /// The aspect to keep for `ratio`, and whether that is another.
  ///
  /// - Throws: `.invalid` for a negative one, and for one beyond 1000 where there is no range.
  func aspect(_ ratio: Double) throws(CatalogueError) -> (ratio: Double, wasBrought: Bool) {
    guard let aspectRange, ratio >= 0 else { return (ratio, false) }
    let brought = min(max(ratio, aspectRange.lowerBound), aspectRange.upperBound)
    return (brought, brought != ratio)
  }
}
