package import Windowing

/// One entry of a strip, as it is imported, stored and exported.
///
///     let blue = try Item(json: Array(#"{"id":"a6","kind":"album","aspect":1}"#.utf8))
///
/// Ids, kinds and groups compare as bytes of UTF-8.
package struct Item: Hashable, Sendable {
  /// 1 to 256 bytes of UTF-8 without control characters, unique in its strip.
  package private(set) var id = ""
  /// The reuse identifier, which chooses the card: `[a-z][a-z0-9-]{0,31}`.
  package fileprivate(set) var kind = KindName.card
  /// The part of the width that grows with the strip's height, 0 to 1000 times the height; absent is 0.
  package var aspect: Aspect?
  /// The part of the width that does not depend on the height, 0 to 100,000 px; absent is 0.
  package fileprivate(set) var width: Length?
  /// The group's title, at most 1024 bytes: neighbours with the same title are one group.
  package fileprivate(set) var group: String?
  package var fields = Fields()

  // Errors are `.invalid`. Their sentences begin with the name of the wrong member.

  package init(
    id: String, kind: String = KindName.card, aspect: Aspect? = nil, width: Length? = nil,
    group: String? = nil, fields: Fields = Fields()
  ) throws(CatalogueError) {
    try Self.check(id: id)
    try KindName.check(kind)
    if let aspect { _ = try Aspect(checking: aspect.ratio) }
    if let width { _ = try Length(checking: width.px) }
    if let group { try Self.check(group: group) }
    self.id = id
    self.kind = kind
    self.aspect = aspect
    self.width = width
    self.group = group
    self.fields = fields
  }

  /// An item without an id, for a reader that then sets its members.
  init() {}

  /// The item in another group, which can be longer than an import allows.
  package func inGroup(_ group: String?) -> Item {
    var item = self
    item.group = group
    return item
  }

  /// The item's size; without aspect and width the item is `itemWidth` wide.
  package func size(itemWidth: Length) -> ItemSize {
    let isUnsized = aspect == nil && width == nil
    return ItemSize(aspect: aspect ?? .zero, width: isUnsized ? itemWidth : width ?? .zero)
  }

  package static func == (left: Item, right: Item) -> Bool {
    left.id.utf8.elementsEqual(right.id.utf8) && left.kind == right.kind
      && left.aspect == right.aspect && left.width == right.width
      && left.group.isSameGroup(as: right.group) && left.fields == right.fields
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// The members of an item that are single values, besides its id. An edit can change them, and views can
/// use them like fields.
package enum ItemMember: String, CaseIterable {
  case kind, aspect, width, group

  package var isNumber: Bool { self == .aspect || self == .width }

  /// The value as text, as JSON spells it; nil if it is absent.
  package func text(of item: Item) -> String? {
    switch self {
    case .kind: item.kind
    case .aspect: item.aspect?.decimal
    case .width: item.width?.description
    case .group: item.group
    }
  }

  func read(_ scanner: inout JSONScanner, into item: inout Item) throws(CatalogueError) {
    switch self {
    case .kind:
      item.kind = try scanner.string(of: rawValue)
      try KindName.check(item.kind)
    case .aspect: item.aspect = try Aspect(checking: scanner.number(of: rawValue))
    case .width: item.width = try Length(checking: scanner.number(of: rawValue))
    case .group:
      let group = try scanner.string(of: rawValue)
      try Item.check(group: group)
      item.group = group
    }
  }

  func copy(from source: Item, to target: inout Item) {
    switch self {
    case .kind: target.kind = source.kind
    case .aspect: target.aspect = source.aspect
    case .width: target.width = source.width
    case .group: target.group = source.group
    }
  }
}

// MARK: - Rules

extension Item {
  package static func check(id: String) throws(CatalogueError) {
    guard 1...256 ~= id.utf8.count else {
      throw .invalid("id: it has \(id.utf8.count) bytes, not 1 to 256")
    }
    // Most ids are ASCII, which needs no decoding.
    guard
      id.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) || !id.unicodeScalars.contains(where: \.isControl)
    else { throw .invalid("id: \(id.quoted) contains a control character") }
  }

  package static func check(group: String) throws(CatalogueError) {
    guard group.utf8.count <= 1024 else {
      throw .invalid("group: it has \(group.utf8.count) bytes, more than 1024")
    }
    guard !group.utf8.contains(0) else { throw .invalid("group: it contains a NUL character") }
  }
}

extension Aspect {
  package init(checking ratio: Double) throws(CatalogueError) {
    guard 0...1000 ~= ratio, let aspect = Aspect(ratio: ratio) else {
      throw .invalid("aspect: \(ratio.shortText) is not between 0 and 1000")
    }
    self = aspect
  }

  /// The shortest decimal that rounds to this aspect, such as `1.0635`.
  ///
  /// Five decimals are always enough: their step is 1/100000, and that of aspects is 1/65536.
  package var decimal: String {
    var (scale, decimals) = (UInt64(1), 0)
    while true {
      let nearest = (UInt64(units) * scale * 2 + 65536) / (2 * 65536)
      if decimals == 5 || (nearest * 65536 * 2 + scale) / (2 * scale) == UInt64(units) {
        guard decimals > 0 else { return String(nearest) }
        let fraction = String(nearest % scale)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(nearest / scale).\(zeros)\(fraction)"
      }
      (scale, decimals) = (scale * 10, decimals + 1)
    }
  }
}

extension Length {
  package init(checking px: Double) throws(CatalogueError) {
    guard 0...100_000 ~= px, let width = Length(px: px) else {
      throw .invalid("width: \(px.shortText) is not between 0 and 100000")
    }
    self = width
  }
}

extension Double {
  /// The number for an error: a whole number without `.0`.
  package var shortText: String {
    self == rounded() && magnitude < 1e15 ? String(Int64(self)) : "\(self)"
  }
}

// MARK: - JSON Lines

// An item as a line of JSON Lines:
//
//     {"id":"A00001","kind":"artwork","aspect":1.0635,"width":16,"group":"1794","fields":{"title":"..."}}
//
// `init(json:)` reads what `json` writes: the same item, which writes the same bytes.
extension Item {
  package init(json line: [UInt8]) throws(CatalogueError) {
    self = try Self.read(line, stripMember: nil).item
  }

  /// - Parameter stripMember: the member that names the item's strip.
  package static func read(
    _ line: [UInt8], stripMember: String?
  ) throws(CatalogueError) -> (item: Item, strip: String?) {
    var scanner = try JSONScanner(line)
    var strip: String?
    let item = try Item(&scanner, strip: &strip, namedBy: stripMember)
    try scanner.end()
    return (item, strip)
  }

  package init(_ scanner: inout JSONScanner) throws(CatalogueError) {
    var strip: String?
    try self.init(&scanner, strip: &strip, namedBy: nil)
  }

  private init(
    _ scanner: inout JSONScanner, strip: inout String?, namedBy stripMember: String?
  ) throws(CatalogueError) {
    var item = Item()
    var id: String?
    try scanner.members { scanner, name throws(CatalogueError) in
      switch name {
      case "id": id = try scanner.string(of: name)
      case "fields": item.fields = try Fields(&scanner)
      case stripMember: strip = try scanner.string(of: name)
      default:
        guard let member = ItemMember(rawValue: name) else {
          throw .invalid(
            "\(name.quoted) is not a member of an item: id, kind, aspect, width, group, fields")
        }
        try member.read(&scanner, into: &item)
      }
    }
    guard let id else { throw .invalid("id: it is missing") }
    try Self.check(id: id)
    item.id = id
    self = item
  }

  /// The item as one line of JSON Lines, without a line end.
  package var json: [UInt8] {
    var text = JSONText()
    text.raw("{\"id\":")
    text.string(id)
    for member in ItemMember.allCases {
      guard let value = member.text(of: self) else { continue }
      text.raw(",\"")
      text.raw(member.rawValue.utf8)
      text.raw("\":")
      if member.isNumber { text.raw(value.utf8) } else { text.string(value) }
    }
    text.raw(",\"fields\":")
    text.raw(fields.json)
    text.raw("}")
    return text.bytes
  }
}

// MARK: - Patches

/// A change of one item: a JSON Merge Patch (RFC 7396) of all its members but `id`.
///
///     {"width":90,"group":null,"fields":{"title":"Blue","color":null}}
///
/// A null removes the member or field. New fields are appended.
package struct ItemPatch: Sendable {
  /// Only the members in `named` are set.
  private var new = Item()
  private var named: [ItemMember] = []
  private var removesFields = false
  /// The fields that change; nil removes one.
  private var fields: [(name: String, value: Fields.Value?)] = []

  package init(_ scanner: inout JSONScanner) throws(CatalogueError) {
    try scanner.members(of: "set") { scanner, name throws(CatalogueError) in
      if name == "fields" { return try readFields(&scanner) }
      guard let member = ItemMember(rawValue: name) else {
        throw .invalid("set: \(name.quoted) is not one of kind, aspect, width, group, fields")
      }
      named.append(member)
      if try !scanner.null() { try member.read(&scanner, into: &new) }
    }
  }

  private mutating func readFields(_ scanner: inout JSONScanner) throws(CatalogueError) {
    removesFields = try scanner.null()
    guard !removesFields else { return }
    try scanner.members(of: "fields") { scanner, name throws(CatalogueError) in
      try Fields.check(name: name)
      fields.append((name, try scanner.null() ? nil : try Fields.Value(&scanner, name: name)))
    }
  }

  /// Whether nothing of the item stays, except its id.
  package var isWhole: Bool { removesFields && Set(named).count == ItemMember.allCases.count }

  /// - Throws: `.invalid` if the item's fields become too large.
  package func applied(to item: Item) throws(CatalogueError) -> Item {
    var changed = item
    for member in named { member.copy(from: new, to: &changed) }
    if removesFields { changed.fields = Fields() }
    if !fields.isEmpty { changed.fields = try merged(with: item.fields) }
    return changed
  }

  private func merged(with old: Fields) throws(CatalogueError) -> Fields {
    var pairs = old.pairs
    for (name, value) in fields {
      let index = pairs.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
      switch (index, value) {
      case (let index?, let value?): pairs[index].value = value
      case (let index?, nil): pairs.remove(at: index)
      case (nil, let value?): pairs.append((name, value))
      case (nil, nil): break
      }
    }
    return try FieldsWriter.fields(pairs)
  }
}

extension String? {
  /// Whether both are the same group, compared by the bytes of their UTF-8.
  package func isSameGroup(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.utf8.elementsEqual(other.utf8)
  }
}
