import Catalogue
import Synchronization

/// `import --dry-run`: an importer that checks the items like a store does, and writes nothing.
///
/// It finds invalid items, ids that exist already, and too many kinds. It prints the first items.
///
/// - Complexity: O(*n*) memory for the ids; one lookup in the store for each item that is appended.
final class DryRun: StripImporter {
  private static let shown = 5

  private let existing: any ExistingStrips
  private let mode: StripImport.Mode
  private let isInterrupted = Atomic(false)
  private let suggestions = Mutex(FieldSuggestions())
  /// Options that declare fields, for the summary; nil if there is nothing to suggest.
  var suggestedOptions: String? { suggestions.withLock(\.options) }

  /// - Parameter mode: what the import would do if the strip exists.
  init(against existing: any ExistingStrips, _ mode: StripImport.Mode) {
    self.existing = existing
    self.mode = mode
  }

  func run(
    _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip {
    var strip = try begin(request.name)
    try fill { item throws(CatalogueError) in
      try check(item, &strip)
      if strip.ids.count <= Self.shown { show(item) }
    }
    return ImportedStrip(count: strip.ids.count, revision: 0)
  }

  /// Accepts the items of several strips in any order, because it does not compare them with the
  /// existing items.
  func runMany(
    _: StripImport.Mode, settings: SettingsChange, title: (String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts {
    var strips: [String: CheckedStrip] = [:]
    var count = 0
    try fill { item, name throws(CatalogueError) in
      if strips[name] == nil { strips[name] = try begin(name) }
      try check(item, &strips[name, default: CheckedStrip()])
      count += 1
      if count <= Self.shown { show(item, of: name) }
    }
    return StripCounts(created: strips.count)
  }

  private func show(_ item: Item, of strip: String? = nil) {
    let json = String(decoding: item.json, as: UTF8.self).escapingControls()
    print("  \(strip.map { $0 + ": " } ?? "")\(json)")
  }

  private func begin(_ name: String) throws(CatalogueError) -> CheckedStrip {
    switch mode {
    case .append:
      guard let number = try existing.number(of: name) else { return CheckedStrip() }
      return CheckedStrip(number: number, kinds: KindTable(names: try existing.kinds(of: number)))
    case .replace: return CheckedStrip()
    case .make:
      guard try existing.number(of: name) == nil else { throw .stripExists(name) }
      return CheckedStrip()
    }
  }

  private func check(_ item: Item, _ strip: inout CheckedStrip) throws(CatalogueError) {
    guard !isInterrupted.load(ordering: .relaxed) else { throw .interrupted }
    let (number, used) = (strip.number, strip.usedKinds)
    let kind = try strip.kinds.number(of: item.kind) { kind in
      guard let number, used & 1 << kind == 0 else { return false }
      return (try? existing.has(kind: kind, in: number)) == false
    }
    if let number, try existing.has(item.id, in: number) { throw .duplicate(item.id) }
    guard strip.ids.insert(Identifier(text: item.id)).inserted else { throw .duplicate(item.id) }
    suggestions.withLock { $0.count(item) }
    strip.usedKinds |= 1 << kind
  }

  func interrupt() { isInterrupted.store(true, ordering: .sequentiallyConsistent) }
}

extension CatalogueError {
  /// The error of a store for an id that its strip has already.
  fileprivate static func duplicate(_ id: String) -> CatalogueError {
    .invalid("id: \"\(id)\" exists already")
  }
}

/// The items of a strip that a dry run has accepted.
private struct CheckedStrip {
  /// The number of the existing strip that items are appended to.
  var number: Int64?
  var ids: Set<Identifier> = []
  var kinds = KindTable()
  /// The kinds of the accepted items, one bit each.
  var usedKinds: UInt64 = 0
}

/// An id. Two ids are equal if their UTF-8 bytes are equal. `String` compares by Unicode equivalence.
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
