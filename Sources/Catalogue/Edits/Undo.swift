import Items

/// Writes the batch that takes an edit back, while the edit is applied.
///
///     edit   update a    move b    remove c
///     undo   insert c before its old neighbour    move b before its old neighbour    update a
///
/// Each operation adds the operations that invert it. The batch has them in reverse order. Applied to the items after
/// the edit, it gives the items before it: in the same order, with the same JSON.
struct UndoWriter {
  /// In bytes.
  private let limit: Int
  /// The inverse of each operation of the edit: one operation or more, separated by commas.
  private var inverses: [[UInt8]] = []
  private var size = 1
  private var isKnown = true

  init(limit: Int) { self.limit = limit }

  /// The batch as a JSON array; `null` after `abandon`.
  var batch: [UInt8] {
    guard isKnown else { return Array("null".utf8) }
    var text = JSONText()
    text.raw("[")
    text.list(inverses.reversed()) { $0.raw($1) }
    text.raw("]")
    return text.bytes
  }

  /// Notes that an operation removes or replaces an item that cannot be read, so that no undo is possible.
  mutating func abandon() { isKnown = false }

  mutating func insert(_ items: [Item]) throws(CatalogueError) {
    try add([items]) { text, items in
      text.raw("{\"op\":\"remove\",\"ids\":[")
      text.list(items) { $0.string($1.id) }
      text.raw("]}")
    }
  }

  mutating func update(_ old: Item, to new: Item) throws(CatalogueError) {
    try add(old.patches(of: new)) { text, patch in
      text.raw("{\"op\":\"update\",\"id\":")
      text.string(old.id)
      text.raw(",\"set\":")
      text.raw(patch)
      text.raw("}")
    }
  }

  /// - Parameter runs: the items that are about to move.
  mutating func move(_ runs: [ItemRun]) throws(CatalogueError) {
    try add(runs) { text, run in
      text.raw("{\"op\":\"move\",\"ids\":[")
      text.list(run.items) { $0.string($1.id) }
      text.raw("],\"before\":")
      text.id(run.next)
      text.raw("}")
    }
  }

  mutating func remove(_ runs: [ItemRun]) throws(CatalogueError) {
    try add(runs) { text, run in
      text.raw("{\"op\":\"insert\",\"before\":")
      text.id(run.next)
      text.raw(",\"items\":[")
      text.list(run.items) { $0.raw($1.json) }
      text.raw("]}")
    }
  }

  private mutating func add<Element>(
    _ elements: [Element], _ write: (inout JSONText, Element) -> Void
  ) throws(CatalogueError) {
    var text = JSONText()
    text.list(elements, write)
    size += text.bytes.count + 1
    guard size <= limit else {
      throw .invalid(
        "undo: the batch that takes the edit back has more than \(limit) bytes, its limit")
    }
    inverses.append(text.bytes)
  }
}

/// Items that follow one another.
struct ItemRun {
  let items: [Item]
  /// The id of the item after them; nil at the end of the strip.
  let next: String?
}

extension EditableItems {
  /// The runs that items of the strip form, in any order.
  mutating func runs(of items: [Item]) throws -> [ItemRun] {
    let nextIDs = try ids(after: items.map(\.id))
    let indices = Dictionary(
      uniqueKeysWithValues: zip(items.lazy.map { Array($0.id.utf8) }, items.indices))
    let next = nextIDs.map { $0.flatMap { indices[Array($0.utf8)] } }
    let followers = Set(next.compactMap(\.self))
    return items.indices.filter { !followers.contains($0) }.map { first in
      var run = [first]
      while let index = next[run[run.count - 1]] { run.append(index) }
      return ItemRun(items: run.map { items[$0] }, next: nextIDs[run[run.count - 1]])
    }
  }
}

extension Item {
  /// The merge patches that turn another item with the same id into this one, in order.
  ///
  /// One patch is enough unless a field must come before fields that the other item has. A patch appends new fields, so
  /// in this case a first patch removes all fields.
  fileprivate func patches(of other: Item) -> [[UInt8]] {
    let patch = patch(of: other)
    if let whole = try? other.patched(patch), whole == self { return [patch] }
    var withoutFields = other
    withoutFields.fields = Fields()
    return [Array("{\"fields\":null}".utf8), self.patch(of: withoutFields)]
  }

  private func patched(_ patch: [UInt8]) throws(CatalogueError) -> Item {
    var scanner = try JSONScanner(patch)
    return try ItemPatch(&scanner).applied(to: self)
  }

  /// The values of the members and fields that differ; null for those that only the other item has.
  private func patch(of other: Item) -> [UInt8] {
    var text = JSONText()
    let members = ItemMember.allCases.filter {
      $0.text(of: self).map { Array($0.utf8) } != $0.text(of: other).map { Array($0.utf8) }
    }
    let fields = changedFields(of: other)
    text.raw("{")
    text.list(members) { text, member in
      text.string(member.rawValue)
      text.raw(":")
      switch member.text(of: self) {
      case let value? where member.isNumber: text.raw(value.utf8)
      case let value?: text.string(value)
      case nil: text.raw("null")
      }
    }
    if !fields.isEmpty {
      text.raw(members.isEmpty ? "\"fields\":{" : ",\"fields\":{")
      text.list(fields) { text, field in
        text.string(field.name)
        text.raw(":")
        text.value(field.value)
      }
      text.raw("}")
    }
    text.raw("}")
    return text.bytes
  }

  private func changedFields(of other: Item) -> [(name: String, value: Fields.Value?)] {
    func values(_ item: Item) -> [[UInt8]: Fields.Value] {
      Dictionary(item.fields.pairs.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
    }
    let (own, others) = (values(self), values(other))
    var changes: [(name: String, value: Fields.Value?)] = []
    for field in other.fields.pairs where own[Array(field.name.utf8)] == nil {
      changes.append((field.name, nil))
    }
    for field in fields.pairs where others[Array(field.name.utf8)] != field.value {
      changes.append((field.name, field.value))
    }
    return changes
  }
}

extension JSONText {
  fileprivate mutating func id(_ id: String?) {
    if let id { string(id) } else { raw("null") }
  }
}
