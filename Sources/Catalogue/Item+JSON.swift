import Windowing

// An item as a line of JSON Lines:
//
//     {"id":"A00001","kind":"artwork","aspect":1.0635,"width":16,"group":"1794","fields":{"title":"..."}}
//
// What `json` writes, `init(json:)` reads back to the same item, and that writes the same bytes.
extension Item {
  /// An item from one line of JSON Lines.
  ///
  /// - Throws: `.invalid`, with a sentence that begins with the member at fault.
  /// - Complexity: one pass over the line.
  package init(json line: [UInt8]) throws(CatalogueError) {
    var strip: String?
    try self.init(json: line, strip: &strip, namedBy: nil)
  }

  /// An item from a line that also names the strip it is for.
  ///
  /// - Parameter member: the member that names it, beside those of an item.
  init(
    json line: [UInt8], strip: inout String?, namedBy member: String?
  ) throws(CatalogueError) {
    var scanner = try JSONScanner(line)
    try self.init(&scanner, strip: &strip, namedBy: member)
    try scanner.end()
  }

  /// Reads an item where the scanner stands.
  init(_ scanner: inout JSONScanner) throws(CatalogueError) {
    var strip: String?
    try self.init(&scanner, strip: &strip, namedBy: nil)
  }

  private init(
    _ scanner: inout JSONScanner, strip: inout String?, namedBy member: String?
  ) throws(CatalogueError) {
    var id: String?
    var kind = KindName.card
    var aspect: Aspect?
    var width: Length?
    var group: String?
    var fields = Fields()
    var named: String?
    try scanner.members { scanner, name throws(CatalogueError) in
      switch name {
      case "id": id = try scanner.string(of: name)
      case "kind": kind = try scanner.string(of: name)
      case "aspect": aspect = try Aspect(checking: try scanner.number(of: name))
      case "width": width = try Length(checking: try scanner.number(of: name))
      case "group": group = try scanner.string(of: name)
      case "fields": fields = try Fields(&scanner)
      case member: named = try scanner.string(of: name)
      default: throw .invalid("\(name.quoted) is no member of an item")
      }
    }
    strip = named
    guard let id else { throw .invalid("id: it is missing") }
    try self.init(
      id: id, kind: kind, aspect: aspect, width: width, group: group, fields: fields)
  }

  /// The item as one line of JSON Lines, without its line end.
  package var json: [UInt8] {
    var text = JSONText()
    text.raw("{\"id\":")
    text.string(id)
    text.raw(",\"kind\":")
    text.string(kind)
    if let aspect {
      text.raw(",\"aspect\":")
      text.raw(aspect.decimal.utf8)
    }
    if let width {
      text.raw(",\"width\":")
      text.raw(width.description.utf8)
    }
    if let group {
      text.raw(",\"group\":")
      text.string(group)
    }
    text.raw(",\"fields\":")
    text.raw(fields.json)
    text.raw("}")
    return text.bytes
  }
}

extension JSONScanner {
  mutating func string(of name: String) throws(CatalogueError) -> String {
    guard case .string(let text) = try scalar(of: name) else {
      throw .invalid("\(name): it is no string")
    }
    return text
  }

  mutating func number(of name: String) throws(CatalogueError) -> Double {
    guard case .number(let spelling) = try scalar(of: name),
      let number = Double(String(decoding: spelling, as: UTF8.self))
    else { throw .invalid("\(name): it is no number") }
    return number
  }
}
