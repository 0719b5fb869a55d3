import Catalogue
import Synchronization

/// An import into nothing: it finds the faults that are in the file, and those that come of what the
/// store has already, shows the first items as they would be stored, and writes nothing.
///
/// - Complexity: holds the ids of all items; asks the store for each that is to be appended.
final class DryRun: StripImporter {
  /// How many items are shown.
  private static let shown = 5

  private let former: any ExistingStrips
  private let mode: StripImport.Mode
  private let isInterrupted = Atomic(false)

  /// - Parameter mode: what the import is to do with a strip that exists.
  init(over former: any ExistingStrips, _ mode: StripImport.Mode) {
    self.former = former
    self.mode = mode
  }

  func run(
    _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    var strip = try begin(request.name)
    try fill { item throws(CatalogueError) in
      try rehearse(item, &strip)
      if strip.ids.count <= Self.shown { print("  " + String(decoding: item.json, as: UTF8.self)) }
    }
    return ImportedStrip(count: strip.ids.count, revision: 0)
  }

  /// Items may come in any order, also of strips that are to be replaced: they are compared with
  /// none.
  func runMany(
    _: StripImport.Mode, settings: SettingsChange, title: (String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts {
    var strips: [String: Rehearsed] = [:]
    var count = 0
    try fill { item, name throws(CatalogueError) in
      if strips[name] == nil { strips[name] = try begin(name) }
      try rehearse(item, &strips[name, default: Rehearsed()])
      count += 1
      if count <= Self.shown { print("  \(name): " + String(decoding: item.json, as: UTF8.self)) }
    }
    return StripCounts(made: strips.count)
  }

  private func begin(_ name: String) throws(CatalogueError) -> Rehearsed {
    switch mode {
    case .append:
      guard let number = try former.number(of: name) else { return Rehearsed() }
      return Rehearsed(number: number, kinds: KindTable(names: try former.kinds(of: number)))
    case .replace: return Rehearsed()
    case .make:
      guard try former.number(of: name) == nil else { throw .stripExists(name) }
      return Rehearsed()
    }
  }

  private func rehearse(_ item: Item, _ strip: inout Rehearsed) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    let (number, taken) = (strip.number, strip.taken)
    let kind = try strip.kinds.number(of: item.kind) { kind in
      guard let number, taken & 1 << kind == 0 else { return false }
      return (try? former.has(kind: kind, in: number)) == false
    }
    if let number, try former.has(item.id, in: number) {
      throw .invalid("id: \"\(item.id)\" is there already")
    }
    guard strip.ids.insert(Identifier(text: item.id)).inserted else {
      throw .invalid("id: \"\(item.id)\" is there already")
    }
    strip.taken |= 1 << kind
  }

  func interrupt() { isInterrupted.store(true, ordering: .sequentiallyConsistent) }
}

/// What would be in a strip.
private struct Rehearsed {
  /// That of the strip whose items stay, where it exists.
  var number: Int64?
  var ids: Set<Identifier> = []
  var kinds = KindTable()
  /// The kinds of items that were rehearsed, a bit each.
  var taken: UInt64 = 0
}

/// An id, compared as bytes.
private struct Identifier: Hashable {
  let text: String

  static func == (left: Identifier, right: Identifier) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ColumnMapping {
  /// Members and fields, each with the column it is taken from.
  var lines: [String] {
    var pairs: [(String, String)] = []
    for member in ["id", "kind", "aspect", "width", "group"] {
      switch members[member] {
      case .cell(let place): pairs.append((member, header[place]))
      case .quotient(let above, let below):
        pairs.append((member, "\(header[above]) / \(header[below])"))
      case nil: break
      }
    }
    pairs += fields.map { ("fields.\($0.name)", header[$0.column]) }
    let width = pairs.map(\.0.count).max() ?? 0
    return pairs.map { name, column in
      name + String(repeating: " ", count: width - name.count) + " <- \(column)"
    }
  }
}
