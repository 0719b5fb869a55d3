/// A change of one item: a JSON Merge Patch (RFC 7396) of all its members but `id`.
///
///     {"width":90,"group":null,"fields":{"title":"Blue","color":null}}
///
/// A null removes the member or field. A member that is not named keeps its value. New fields are
/// appended.
package struct ItemPatch: Sendable {
  /// The new values of the members in `named`.
  private var new = Item()
  private var named: [ItemMember] = []
  /// Whether all fields are removed.
  private var removesFields = false
  /// The fields that change; nil removes one.
  private var fields: [(name: String, value: Fields.Value?)] = []

  /// Reads a patch at the scanner's position.
  ///
  /// - Throws: `.invalid` for an unknown member, or a value that an item cannot have.
  init(_ scanner: inout JSONScanner) throws(CatalogueError) {
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

  /// The item after the patch.
  ///
  /// - Throws: `.invalid` if its fields become too large.
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
    var writer = FieldsWriter()
    for (name, value) in pairs { writer.append(name, value) }
    return try writer.fields()
  }
}
