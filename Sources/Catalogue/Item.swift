package import Windowing

/// One entry of a strip, as it is imported, kept and exported.
///
///     let blue = try Item(json: Array(#"{"id":"a6","kind":"album","aspect":1}"#.utf8))
///
/// Ids, kinds and groups compare as bytes of UTF-8.
package struct Item: Hashable, Sendable {
  /// 1 to 256 bytes of UTF-8 without control characters, unique in a strip.
  package let id: String
  /// The reuse identifier: which card draws the item. `[a-z][a-z0-9-]{0,31}`.
  package let kind: String
  /// Size as a share of the strip's height; absent counts 0.
  package let aspect: Aspect?
  /// Size in px, whatever the height; absent counts 0.
  package let width: Length?
  /// The heading that the item stands under, together with its neighbours of the same one.
  package let group: String?
  package let fields: Fields

  /// - Throws: `.invalid`, with a sentence that begins with the member at fault.
  package init(
    id: String, kind: String = "card", aspect: Aspect? = nil, width: Length? = nil,
    group: String? = nil, fields: Fields = Fields()
  ) throws(CatalogueError) {
    try Self.check(id: id)
    guard KindName.isValid(kind) else {
      throw .invalid(
        "kind: \(kind.quoted) is not a lower case letter and up to 31 of a to z, 0 to 9 and -")
    }
    if let aspect { try Self.check(aspect: aspect.ratio) }
    if let width { try Self.check(width: width.px) }
    if let group { try Self.check(group: group) }
    self.id = id
    self.kind = kind
    self.aspect = aspect
    self.width = width
    self.group = group
    self.fields = fields
  }

  /// What the item takes up; one with neither aspect nor width is `itemWidth` wide.
  package func size(itemWidth: Length) -> ItemSize {
    let isBare = aspect == nil && width == nil
    return ItemSize(
      aspect: aspect ?? .zero, width: isBare ? itemWidth : width ?? .zero)
  }
}

extension Item {
  package static func == (left: Item, right: Item) -> Bool {
    left.id.utf8.elementsEqual(right.id.utf8) && left.kind == right.kind
      && left.aspect == right.aspect && left.width == right.width
      && left.group.isSameGroup(as: right.group) && left.fields == right.fields
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension Item {
  private static func check(id: String) throws(CatalogueError) {
    guard 1...256 ~= id.utf8.count else {
      throw .invalid("id: it is \(id.utf8.count) bytes, not 1 to 256")
    }
    // All of ASCII but its controls is allowed: only what is beyond is looked at by scalars.
    guard
      id.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) || !id.unicodeScalars.contains(where: \.isControl)
    else {
      throw .invalid("id: \(id.quoted) holds a control character")
    }
  }

  static func check(aspect: Double) throws(CatalogueError) {
    guard 0...1000 ~= aspect else { throw .invalid("aspect: \(aspect) is not within 0 and 1000") }
  }

  static func check(width: Double) throws(CatalogueError) {
    guard 0...100_000 ~= width else { throw .invalid("width: \(width) is not within 0 and 100000") }
  }

  private static func check(group: String) throws(CatalogueError) {
    guard group.utf8.count <= 1024 else {
      throw .invalid("group: it is \(group.utf8.count) bytes, at most 1024 are kept")
    }
    guard !group.utf8.contains(0) else { throw .invalid("group: it holds a NUL character") }
  }
}

extension String {
  /// The text in quotes for an error, cut where it would drown the sentence.
  var quoted: String {
    let text = unicodeScalars.prefix(61).map { $0.isControl ? "\u{FFFD}" : $0 }
    let shown = String(String.UnicodeScalarView(text.prefix(60)))
    return "\"\(shown)\(text.count > 60 ? "..." : "")\""
  }
}

extension Unicode.Scalar {
  /// Whether this is of Unicode's category Cc.
  fileprivate var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }
}
