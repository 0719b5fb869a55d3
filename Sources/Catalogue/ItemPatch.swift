import Windowing

/// What an update changes of an item: a JSON Merge Patch (RFC 7396) of all its members but `id`.
///
///     {"width":90,"group":null,"fields":{"title":"Blue","color":null}}
///
/// What is null goes; what is not named stays. A new field comes behind those that are there.
package struct ItemPatch: Hashable, Sendable {
  private var kind: Change<String>?
  private var aspect: Change<Aspect>?
  private var width: Change<Length>?
  private var group: Change<String>?
  private var fields: FieldsChange?

  /// A member that is named: what it becomes.
  private enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case value(Value)
    case gone

    var value: Value? { if case .value(let value) = self { value } else { nil } }
  }

  private enum FieldsChange: Hashable, Sendable {
    case gone
    case merged([Change])

    struct Change: Hashable, Sendable {
      let name: String
      /// Nil for a field that goes.
      let value: Fields.Value?
    }
  }

  /// Reads a patch where the scanner stands.
  ///
  /// - Throws: `.invalid` for a member that is none, or a value that no item could have.
  init(_ scanner: inout JSONScanner) throws(CatalogueError) {
    try scanner.members(of: "set") { scanner, name throws(CatalogueError) in
      switch name {
      case "kind":
        kind = try Self.change(&scanner) { scanner throws(CatalogueError) in
          let kind = try scanner.string(of: name)
          _ = try Item(id: "patched", kind: kind)
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
          _ = try Item(id: "patched", group: group)
          return group
        }
      case "fields": fields = try Self.fields(&scanner)
      default: throw .invalid("set: \(name.quoted) is no member that can be set")
      }
    }
  }

  private static func change<Value: Hashable & Sendable>(
    _ scanner: inout JSONScanner,
    _ read: (inout JSONScanner) throws(CatalogueError) -> Value
  ) throws(CatalogueError) -> Change<Value> {
    if try scanner.null() { return .gone }
    return .value(try read(&scanner))
  }

  private static func fields(_ scanner: inout JSONScanner) throws(CatalogueError) -> FieldsChange {
    if try scanner.null() { return .gone }
    var changes: [FieldsChange.Change] = []
    try scanner.members(of: "fields") { scanner, name throws(CatalogueError) in
      guard !name.utf8.contains(0) else { throw .invalid("fields: a name holds a NUL character") }
      let value = try scanner.null() ? nil : try Fields.Value(&scanner, name: name)
      changes.append(FieldsChange.Change(name: name, value: value))
    }
    return .merged(changes)
  }

  /// The item as it is after the patch.
  ///
  /// - Throws: `.invalid` where its fields grow too large.
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
    case .gone: return Fields()
    case .merged(let changes):
      var pairs = old.pairs
      for change in changes {
        let place = pairs.firstIndex { $0.name.utf8.elementsEqual(change.name.utf8) }
        switch (place, change.value) {
        case (let place?, let value?): pairs[place].value = value
        case (let place?, nil): pairs.remove(at: place)
        case (nil, let value?): pairs.append((change.name, value))
        case (nil, nil): break
        }
      }
      return try Fields(read: pairs)
    }
  }
}
