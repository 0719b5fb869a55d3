import Items
import Synchronization

/// An import into nothing: it finds every fault that is in the file alone, shows the first items as
/// they would be stored, and writes nothing.
///
/// - Complexity: holds the ids of all items.
final class DryRun: StripImporter {
  /// How many items are shown.
  private static let shown = 5

  private let isInterrupted = Atomic(false)

  func run(
    _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    var strip = Rehearsed()
    try fill { item throws(CatalogueError) in
      try rehearse(item, &strip)
      if strip.ids.count <= Self.shown { print("  " + String(decoding: item.json, as: UTF8.self)) }
    }
    return ImportedStrip(count: strip.ids.count, revision: 0)
  }

  func runMany(
    _ mode: StripImport.Mode, settings: SettingsChange, title: (String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts {
    var strips: [String: Rehearsed] = [:]
    var count = 0
    try fill { item, name throws(CatalogueError) in
      try rehearse(item, &strips[name, default: Rehearsed()])
      count += 1
      if count <= Self.shown { print("  \(name): " + String(decoding: item.json, as: UTF8.self)) }
    }
    return StripCounts(made: strips.count)
  }

  private func rehearse(_ item: Item, _ strip: inout Rehearsed) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    _ = try strip.kinds.number(of: item.kind)
    guard strip.ids.insert(Identifier(text: item.id)).inserted else {
      throw .invalid("id: \"\(item.id)\" is there already")
    }
  }

  func interrupt() { isInterrupted.store(true, ordering: .sequentiallyConsistent) }
}

/// What would be in a strip.
private struct Rehearsed {
  var ids: Set<Identifier> = []
  var kinds = KindTable()
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
