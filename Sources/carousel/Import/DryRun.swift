import Catalogue
import Items
import SQLCatalogue
import Synchronization

/// `import --dry-run`: checks the items like a store, prints the first ones, and writes nothing.
/// O(*n*) memory for the ids; one lookup in the store for each item that is appended.
final class DryRun: StripImporter {
  private static let shown = 5

  private let existing: ExistingStrips
  private let mode: StripImport.Mode
  private let isInterrupted = Atomic(false)
  private let suggestions = Mutex(FieldSuggestions())
  var suggestedOptions: String? { suggestions.withLock(\.options) }

  init(against existing: ExistingStrips, _ mode: StripImport.Mode) {
    self.existing = existing
    self.mode = mode
  }

  /// Accepts strips in any order: it compares the items with no existing one.
  func run(
    _ request: StripImport,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> (counts: StripCounts, last: ImportedStrip?) {
    var strips: [String: CheckedStrip] = [:]
    var count = 0
    if let name = request.name { strips[name] = try begin(name) }
    try fill { item, name throws(CatalogueError) in
      if strips[name] == nil { strips[name] = try begin(name) }
      try check(item, &strips[name, default: CheckedStrip()])
      count += 1
      if count == 1 { print("first items:") }
      if count <= Self.shown { show(item, of: request.name == nil ? name : nil) }
    }
    return (StripCounts(created: strips.count), nil)
  }

  private func show(_ item: Item, of strip: String? = nil) {
    let json = String(decoding: item.json, as: UTF8.self).escapingControls()
    print("  \(strip.map { $0 + ": " } ?? "")\(json)")
  }

  private func begin(_ name: String) throws(CatalogueError) -> CheckedStrip {
    guard mode != .replace, let strip = try existing.find(name) else { return CheckedStrip() }
    guard mode == .append else { throw .stripExists(name) }
    return CheckedStrip(number: strip.number, kinds: KindTable(names: strip.kinds))
  }

  private func check(_ item: Item, _ strip: inout CheckedStrip) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    let (number, used) = (strip.number, strip.usedKinds)
    let kind = try strip.kinds.number(of: item.kind) { kind in
      guard let number, used & 1 << kind == 0 else { return false }
      return (try? existing.has(kind: kind, in: number)) == false
    }
    let isStored = if let number { try existing.has(item.id, in: number) } else { false }
    guard !isStored, strip.ids.insert(Array(item.id.utf8)).inserted else {
      // A store throws the same error.
      throw .invalid("id: \"\(item.id)\" exists already")
    }
    suggestions.withLock { $0.count(item) }
    strip.usedKinds |= 1 << kind
  }

  func interrupt() { isInterrupted.store(true, ordering: .sequentiallyConsistent) }
}

private struct CheckedStrip {
  /// The number of the existing strip that items are appended to.
  var number: Int64?
  /// In UTF-8, because `String` compares by Unicode equivalence.
  var ids: Set<[UInt8]> = []
  var kinds = KindTable()
  var usedKinds: UInt64 = 0
}
