import Windowing

/// Reads the items of a JSON Lines file: one object a line. Blank lines are skipped.
package struct JSONLinesItems: ItemReader {
  package private(set) var line = 1
  private var stream: ByteStream
  private let options: ReadingOptions

  package init(_ stream: ByteStream, options: ReadingOptions = ReadingOptions()) {
    self.stream = stream
    self.options = options
  }

  package mutating func next() throws(CatalogueError) -> ReadItem? {
    repeat {
      line = stream.line
      guard let text = try stream.nextLine() else { return nil }
      if text.contains(where: { $0 != 0x20 && $0 != 0x09 }) { return try read(text) }
    } while true
  }

  private func read(_ text: [UInt8]) throws(CatalogueError) -> ReadItem {
    var strip: String?
    var read = ReadItem(
      item: try Item(json: text, strip: &strip, namedBy: options.strip), strip: strip)
    if let member = options.strip {
      guard let strip else { throw .invalid("\(member): it is missing") }
      try StripName.check(strip)
    }
    if let aspect = read.item.aspect {
      let clamped = try options.clamped(aspect.ratio).aspect
      if clamped != aspect {
        read.item.aspect = clamped
        read.wasClamped = true
      }
    }
    if let sort = options.sort {
      read.order = SortKey(read.item.value(of: FieldName(sort))?.text ?? [])
    }
    return read
  }
}
