/// Reads one operation of a batch: its members in any order, and then what they make together.
struct EditReader {
  private(set) var name: String?
  private var given: [String] = []
  private var before: String?
  private var after: String?
  private var items: [Item] = []
  private var id = ""
  private var ids: [String] = []
  private var patch: ItemPatch?

  /// Reads the object where the scanner stands.
  mutating func members(_ scanner: inout JSONScanner) throws(CatalogueError) {
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
        throw .invalid("\(member.quoted) is none of op, items, before, after, id, ids, set")
      }
    }
  }

  /// The operation that was read.
  func edit() throws(CatalogueError) -> Edit {
    switch name {
    case "insert":
      try allow(["items", "before", "after"])
      guard !items.isEmpty else { throw .invalid("items: there is none") }
      return .insert(items, try place())
    case "update":
      try allow(["id", "set"])
      guard given.contains("id") else { throw .invalid("id: it is missing") }
      guard let patch else { throw .invalid("set: it is missing") }
      return .update(id: id, patch)
    case "move":
      try allow(["ids", "before", "after"])
      guard !ids.isEmpty else { throw .invalid("ids: there is none") }
      return .move(ids: ids, try place())
    case "remove":
      try allow(["ids"])
      guard !ids.isEmpty else { throw .invalid("ids: there is none") }
      return .remove(ids: ids)
    case let name?:
      throw .invalid("op: \(name.quoted) is not insert, update, move or remove")
    case nil:
      throw .invalid("op: it is missing")
    }
  }

  private func allow(_ members: [String]) throws(CatalogueError) {
    for member in given where member != "op" && !members.contains(member) {
      throw .invalid("\(member): it takes no such member, only \(members.joined(separator: ", "))")
    }
  }

  private func place() throws(CatalogueError) -> Edit.Place {
    switch (given.contains("before"), given.contains("after")) {
    case (true, false): return .before(before)
    case (false, true): return .after(after)
    case (true, true): throw .invalid("after: it cannot be given together with before")
    case (false, false): throw .invalid("before: either it or after is needed")
    }
  }
}

extension JSONScanner {
  /// Reads a null, if one comes next.
  mutating func null() throws(CatalogueError) -> Bool {
    guard isAt(UInt8(ascii: "n")) else { return false }
    _ = try scalar(of: "null")
    return true
  }
}

extension CatalogueError {
  /// The error with what is to blame before it, where the data is.
  func named(_ label: String) -> CatalogueError {
    switch self {
    case .invalid(let sentence): .invalid("\(label): \(sentence)")
    case .conflict(let sentence): .conflict("\(label): \(sentence)")
    default: self
    }
  }
}
