package import Items

/// The operations of one edit of a strip. A store applies all of them in order, or none.
///
///     [{"op":"insert","before":null,"items":[{"id":"a6"}]},
///      {"op":"remove","ids":["a1","a2"]}]
///
/// The text is a JSON array, or NDJSON with one operation a line.
package struct EditBatch: Sendable {
  package enum Form: Sendable { case array, lines }

  struct Operation: Sendable {
    let edit: Edit
    /// The name of the operation in errors.
    let label: String
  }

  private(set) var operations: [Operation] = []
  private let file: String?

  package var count: Int { operations.count }

  /// - Parameter file: the file's name; with it, an error begins with `FILE:LINE: `.
  /// - Throws: `.invalid`, with a sentence that names the operation.
  /// - Complexity: one pass over the bytes; two with a file.
  package init(_ bytes: [UInt8], as form: Form, file: String? = nil) throws(CatalogueError) {
    self.file = file
    switch form {
    case .array: try readArray(bytes)
    case .lines: try readLines(bytes)
    }
    guard !operations.isEmpty else {
      throw .invalid("\(file.map { "\($0):1: " } ?? "")the edit has no operations")
    }
  }

  /// - Precondition: `edits` is not empty.
  package init(_ edits: [Edit]) {
    file = nil
    operations = edits.enumerated().map {
      Operation(edit: $1, label: "operation \($0 + 1) (\($1.name))")
    }
  }

  private mutating func readArray(_ bytes: [UInt8]) throws(CatalogueError) {
    var scanner = try scanner(bytes, line: 1)
    var isLocated = false
    do throws(CatalogueError) {
      try scanner.elements(of: "the batch") { scanner throws(CatalogueError) in
        let line = file == nil ? 1 : scanner.line()
        do throws(CatalogueError) {
          try append(&scanner, line: line)
        } catch {
          isLocated = true
          throw error
        }
      }
      try scanner.end()
    } catch {
      guard let file, !isLocated else { throw error }
      throw error.located(at: "\(file):\(scanner.line())")
    }
  }

  private mutating func readLines(_ bytes: [UInt8]) throws(CatalogueError) {
    var line = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      var scanner = try scanner(Array(text), line: line)
      try append(&scanner, line: line)
      do throws(CatalogueError) {
        try scanner.end()
      } catch {
        throw error.located(at: label(line: line))
      }
    }
  }

  private func scanner(_ bytes: [UInt8], line: Int) throws(CatalogueError) -> JSONScanner {
    do throws(CatalogueError) {
      return try JSONScanner(bytes)
    } catch {
      throw file.map { error.located(at: "\($0):\(line)") } ?? error
    }
  }

  /// The name of the next operation in errors.
  private func label(line: Int, name: String? = nil) -> String {
    (file.map { "\($0):\(line): " } ?? "") + "operation \(operations.count + 1)"
      + (name.map { " (\($0))" } ?? "")
  }

  private mutating func append(
    _ scanner: inout JSONScanner, line: Int
  ) throws(CatalogueError) {
    var reader = OperationReader()
    do throws(CatalogueError) {
      try reader.readMembers(&scanner)
      let edit = try reader.edit()
      operations.append(Operation(edit: edit, label: label(line: line, name: edit.name)))
    } catch {
      throw error.located(at: label(line: line, name: reader.name))
    }
  }
}

extension EditBatch {
  /// The ids of all items that the operations name, each once: a store can look them up in advance.
  package var ids: [String] {
    var seen: Set<[UInt8]> = []
    return operations.flatMap(\.edit.ids).filter { seen.insert(Array($0.utf8)).inserted }
  }
}

/// One operation of an edit: items are named by their ids.
package enum Edit: Sendable {
  case insert([Item], Destination)
  /// Changes an item, which keeps its place.
  case update(id: String, ItemPatch)
  /// Moves items, in the order given.
  case move(ids: [String], Destination)
  case remove(ids: [String])

  /// A place between two items.
  package enum Destination: Sendable {
    /// Before an item; nil is the end of the strip.
    case before(String?)
    /// After an item; nil is the front of the strip.
    case after(String?)

    var neighbour: String? {
      switch self {
      case .before(let id), .after(let id): id
      }
    }
  }

  var name: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .move: "move"
    case .remove: "remove"
    }
  }

  fileprivate var ids: [String] {
    switch self {
    case .insert(let items, let destination):
      items.map(\.id) + [destination.neighbour].compactMap(\.self)
    case .update(let id, _): [id]
    case .move(let ids, let destination): ids + [destination.neighbour].compactMap(\.self)
    case .remove(let ids): ids
    }
  }
}

// MARK: - Reading

/// Reads one operation: first its members in any order, then their meaning.
private struct OperationReader {
  private(set) var name: String?
  private var given: [String] = []
  private var before: String?
  private var after: String?
  private var items: [Item] = []
  private var id = ""
  private var ids: [String] = []
  private var patch: ItemPatch?

  mutating func readMembers(_ scanner: inout JSONScanner) throws(CatalogueError) {
    try scanner.members { scanner, member throws(CatalogueError) in
      given.append(member)
      switch member {
      case "op": name = try scanner.string(of: member)
      case "before": before = try scanner.null() ? nil : try scanner.string(of: member)
      case "after": after = try scanner.null() ? nil : try scanner.string(of: member)
      case "items":
        try scanner.elements(of: member) { scanner throws(CatalogueError) in
          items.append(try Item(&scanner))
        }
      case "id": id = try scanner.string(of: member)
      case "ids":
        try scanner.elements(of: member) { scanner throws(CatalogueError) in
          ids.append(try scanner.string(of: member))
        }
      case "set": patch = try ItemPatch(&scanner)
      default:
        throw .invalid("\(member.quoted) is not one of op, items, before, after, id, ids, set")
      }
    }
  }

  func edit() throws(CatalogueError) -> Edit {
    switch name {
    case "insert":
      try allow(["items", "before", "after"])
      guard !items.isEmpty else { throw .invalid("items: at least one is required") }
      return .insert(items, try destination())
    case "update":
      try allow(["id", "set"])
      guard given.contains("id") else { throw .invalid("id: it is missing") }
      guard let patch else { throw .invalid("set: it is missing") }
      return .update(id: id, patch)
    case "move":
      try allow(["ids", "before", "after"])
      guard !ids.isEmpty else { throw .invalid("ids: at least one is required") }
      return .move(ids: ids, try destination())
    case "remove":
      try allow(["ids"])
      guard !ids.isEmpty else { throw .invalid("ids: at least one is required") }
      return .remove(ids: ids)
    case let name?:
      throw .invalid("op: \(name.quoted) is not insert, update, move or remove")
    case nil:
      throw .invalid("op: it is missing")
    }
  }

  private func allow(_ members: [String]) throws(CatalogueError) {
    for member in given where member != "op" && !members.contains(member) {
      throw .invalid("\(member): the operation takes only \(members.joined(separator: ", "))")
    }
  }

  private func destination() throws(CatalogueError) -> Edit.Destination {
    switch (given.contains("before"), given.contains("after")) {
    case (true, false): return .before(before)
    case (false, true): return .after(after)
    case (true, true): throw .invalid("after: use either before or after, not both")
    case (false, false): throw .invalid("before: before or after is required")
    }
  }
}

// MARK: - Applying

/// A strip's items, as a store lets a batch change them. `EditBatch.apply(to:)` alone defines the meaning of operations.
package protocol EditableItems {
  /// The item with this id; nil if there is none.
  mutating func item(_ id: String) throws -> Item?

  /// The error of a damaged item, whose content is unknown; nil for an undamaged item. A damaged item can be removed or
  /// replaced whole.
  func damage(of id: String) -> CatalogueError?

  /// - Precondition: No item has one of their ids, and the destination's neighbour exists.
  mutating func insert(_ items: [Item], _ destination: Edit.Destination) throws

  /// Replaces the item with the same id, which exists.
  mutating func replace(_ item: Item) throws

  /// - Precondition: The item exists.
  mutating func remove(_ id: String) throws

  /// The ids of the items directly after some items; nil at the end of the strip. Only an undo needs them.
  ///
  /// - Precondition: The items exist.
  mutating func ids(after ids: [String]) throws -> [String?]
}

extension EditableItems {
  package func damage(of id: String) -> CatalogueError? { nil }
}

extension EditBatch {
  /// Applies the operations in order.
  ///
  /// - Throws: `.conflict` for an id that is unknown, repeated, or moved next to itself; `.invalid`
  ///   for an item that becomes too large. The sentence names the operation. Earlier operations
  ///   stay applied: the store must roll back.
  package func apply(to items: inout some EditableItems) throws {
    var undo: UndoWriter?
    try apply(to: &items, &undo)
  }

  /// Applies the operations in order, and makes the undo.
  ///
  /// - Parameter undoLimit: the most bytes of the undo.
  /// - Returns: the undo: the batch that takes the edit back, as a JSON array. `null` if the edit has removed or replaced
  ///   a damaged item.
  /// - Throws: as `apply(to:)`; `.invalid` for an undo that becomes too large.
  package func apply(to items: inout some EditableItems, undoLimit: Int) throws -> [UInt8] {
    var undo: UndoWriter? = UndoWriter(limit: undoLimit)
    try apply(to: &items, &undo)
    return undo?.batch ?? []
  }

  private func apply(
    to items: inout some EditableItems, _ undo: inout UndoWriter?
  ) throws {
    for operation in operations {
      do {
        try operation.edit.apply(to: &items, &undo)
      } catch let error as CatalogueError {
        throw error.located(at: operation.label)
      }
    }
  }
}

extension Edit {
  fileprivate func apply(to items: inout some EditableItems, _ undo: inout UndoWriter?) throws {
    switch self {
    case .insert(let new, let destination):
      try Self.checkUnique(new.map(\.id))
      for item in new where try items.item(item.id) != nil {
        throw CatalogueError.conflict("there is an item \(item.id.quoted) already")
      }
      if let id = destination.neighbour { _ = try items.existing(id) }
      try undo?.insert(new)
      try items.insert(new, destination)
    case .update(let id, let patch):
      let old = try items.existing(id)
      let new = try patch.applied(to: old)
      if let damage = items.damage(of: id) {
        guard patch.isWhole else { throw damage }
        undo?.abandon()
      } else {
        try undo?.update(old, to: new)
      }
      try items.replace(new)
    case .move(let ids, let destination):
      try Self.checkUnique(ids)
      if let id = destination.neighbour {
        guard !ids.contains(where: { $0.utf8.elementsEqual(id.utf8) }) else {
          throw CatalogueError.conflict("the item \(id.quoted) cannot be moved next to itself")
        }
        _ = try items.existing(id)
      }
      var moved: [Item] = []
      for id in ids {
        moved.append(try items.existing(id))
        if let damage = items.damage(of: id) { throw damage }
      }
      try undo?.move(items.runs(of: moved))
      for id in ids { try items.remove(id) }
      try items.insert(moved, destination)
    case .remove(let ids):
      try Self.checkUnique(ids)
      var removed: [Item] = []
      for id in ids { removed.append(try items.existing(id)) }
      if ids.contains(where: { items.damage(of: $0) != nil }) {
        undo?.abandon()
      } else {
        try undo?.remove(items.runs(of: removed))
      }
      for id in ids { try items.remove(id) }
    }
  }

  private static func checkUnique(_ ids: [String]) throws {
    var seen: Set<[UInt8]> = []
    for id in ids where !seen.insert(Array(id.utf8)).inserted {
      throw CatalogueError.conflict("the id \(id.quoted) is repeated")
    }
  }
}

extension EditableItems {
  fileprivate mutating func existing(_ id: String) throws -> Item {
    guard let item = try item(id) else {
      throw CatalogueError.conflict("there is no item \(id.quoted)")
    }
    return item
  }
}
