import Windowing

/// A change of one item: a JSON Merge Patch (RFC 7396) of all its members but `id`.
///
///     {"width":90,"group":null,"fields":{"title":"Blue","color":null}}
///
/// A null removes the member or field. A member that is not named keeps its value. New fields are
/// appended.
package struct ItemPatch: Hashable, Sendable {
  private var kind: Change<String>?
  private var aspect: Change<Aspect>?
  private var width: Change<Length>?
  private var group: Change<String>?
  private var fields: FieldsChange?

  /// The change of a member that the patch names.
  private enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case value(Value)
    case removed

    var value: Value? { if case .value(let value) = self { value } else { nil } }
  }

  private enum FieldsChange: Hashable, Sendable {
    case removed
    case merged([Change])

    struct Change: Hashable, Sendable {
      let name: String
      /// Nil removes the field.
      let value: Fields.Value?
    }
  }

  /// Reads a patch at the scanner's position.
  ///
  /// - Throws: `.invalid` for an unknown member, or a value that an item cannot have.
  init(_ scanner: inout JSONScanner) throws(CatalogueError) {
    try scanner.members(of: "set") { scanner, name throws(CatalogueError) in
      switch name {
      case "kind":
        kind = try Self.change(&scanner) { scanner throws(CatalogueError) in
          let kind = try scanner.string(of: name)
          try KindName.check(kind)
          return kind
        }
      case "aspect":
        aspect = try Self.change(&scanner) { scanner throws(CatalogueError) in
          try Aspect(checking: try scanner.number(of: name))
        }
      case "width":
        width = try Self.change(&scanner) { scanner throws(CatalogueError) in
          try Length(checking: try scanner.number(of: name))
        }
      case "group":
        group = try Self.change(&scanner) { scanner throws(CatalogueError) in
          let group = try scanner.string(of: name)
          try Item.check(group: group)
          return group
        }
      case "fields": fields = try Self.fields(&scanner)
      default:
        throw .invalid("set: \(name.quoted) is not one of kind, aspect, width, group, fields")
      }
    }
  }

  private static func change<Value: Hashable & Sendable>(
    _ scanner: inout JSONScanner,
    _ read: (inout JSONScanner) throws(CatalogueError) -> Value
  ) throws(CatalogueError) -> Change<Value> {
    if try scanner.null() { return .removed }
    return .value(try read(&scanner))
  }

  private static func fields(_ scanner: inout JSONScanner) throws(CatalogueError) -> FieldsChange {
    if try scanner.null() { return .removed }
    var changes: [FieldsChange.Change] = []
    try scanner.members(of: "fields") { scanner, name throws(CatalogueError) in
      try Fields.check(name: name)
      let value = try scanner.null() ? nil : try Fields.Value(&scanner, name: name)
      changes.append(FieldsChange.Change(name: name, value: value))
    }
    return .merged(changes)
  }

  /// The item after the patch.
  ///
  /// - Throws: `.invalid` if its fields become too large.
  package func applied(to item: Item) throws(CatalogueError) -> Item {
    try Item(
      id: item.id,
      kind: kind.map { $0.value ?? KindName.card } ?? item.kind,
      aspect: aspect.map(\.value) ?? item.aspect,
      width: width.map(\.value) ?? item.width,
      group: group.map(\.value) ?? item.group,
      fields: try applied(to: item.fields))
  }

  private func applied(to old: Fields) throws(CatalogueError) -> Fields {
    switch fields {
    case nil: return old
    case .removed: return Fields()
    case .merged(let changes):
      var pairs = old.pairs
      for change in changes {
        let index = pairs.firstIndex { $0.name.utf8.elementsEqual(change.name.utf8) }
        switch (index, change.value) {
        case (let index?, let value?): pairs[index].value = value
        case (let index?, nil): pairs.remove(at: index)
        case (nil, let value?): pairs.append((change.name, value))
        case (nil, nil): break
        }
      }
      return try Fields(checked: pairs)
    }
  }
}
