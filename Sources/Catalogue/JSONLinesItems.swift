import Windowing

/// Items out of JSON Lines, one a line; blank lines are passed over.
package struct JSONLinesItems: ItemReader {
  package private(set) var line = 1
  private var stream: ByteStream
  private let options: ReadingOptions

  package init(_ stream: ByteStream, options: ReadingOptions = ReadingOptions()) {
    self.stream = stream
    self.options = options
  }

  package mutating func next() throws(CatalogueError) -> ReadItem? {
    if stream.line == 1 { try stream.skipByteOrderMark() }
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
      let brought = try Aspect(checking: options.aspect(aspect.ratio).ratio)
      if brought != aspect {
        read.item = try read.item.with(aspect: brought)
        read.wasBroughtIntoRange = true
      }
    }
    if let sort = options.sort { read.order = read.item.order(by: sort) }
    return read
  }
}

extension Item {
  fileprivate func with(aspect: Aspect) throws(CatalogueError) -> Item {
    try Item(id: id, kind: kind, aspect: aspect, width: width, group: group, fields: fields)
  }

  /// Where a sort by this member, or field, puts the item.
  fileprivate func order(by name: String) -> SortKey {
    switch name {
    case "id": SortKey(id.utf8)
    case "kind": SortKey(kind.utf8)
    case "aspect": aspect.map { .number(Double($0.units)) } ?? .empty
    case "width": width.map { .number(Double($0.units)) } ?? .empty
    case "group": SortKey((group ?? "").utf8)
    default: SortKey((fields[name]?.text ?? "").utf8)
    }
  }
}
