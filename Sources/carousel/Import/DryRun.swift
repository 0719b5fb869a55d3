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

/// The columns that `import --dry-run` suggests for `--filterable` and `--searchable`.
///
/// A column is filterable if its values are numbers or dates, or if few of them differ. It is searchable
/// if it holds text of several words. The fields that the card draws from are neither.
struct FieldSuggestions {
  private var columns: [FieldName: Column] = [:]
  private var order: [FieldName] = []

  private static let drawn: Set<FieldName> = ["image", "href", "alt", "color"]

  mutating func count(_ item: Item) {
    for (name, value) in item.fields.pairs {
      let name = FieldName(name)
      if Self.drawn.contains(name) { continue }
      if columns[name] == nil { order.append(name) }
      columns[name, default: Column()].count(FieldValue(value.text))
    }
  }

  var options: String? {
    let filterable = order.filter { columns[$0]?.isFilterable == true }.prefix(32)
    let searchable = order.filter { columns[$0]?.isSearchable == true }.prefix(8)
    let lists = [("--filterable", filterable), ("--searchable", searchable)]
    let options = lists.filter { !$1.isEmpty }.map { option, names in
      "\(option) \(Self.quoted(FieldList.text(of: Array(names))))"
    }
    return options.isEmpty ? nil : options.joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ",")
    }
    return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}

private struct Column {
  private var count = 0
  /// Numbers and dates.
  private var ordered = 0
  /// Values with more than one word.
  private var phrases = 0
  private var distinct: Set<[UInt8]> = []

  private static let maximumDistinct = 10_000

  mutating func count(_ value: FieldValue) {
    count += 1
    if value.number != nil || value.isDate { ordered += 1 }
    if value.text.split(separator: UInt8(ascii: " ")).count > 1 { phrases += 1 }
    if distinct.count < Self.maximumDistinct { distinct.insert(value.text) }
  }

  private var isOrdered: Bool { ordered * 10 >= count * 9 }

  var isFilterable: Bool {
    isOrdered || distinct.count < Self.maximumDistinct && distinct.count * 2 <= count
  }

  var isSearchable: Bool { !isOrdered && phrases * 2 >= count }
}

extension FieldValue {
  fileprivate var isDate: Bool {
    text.count >= 10
      && zip(text, "dddd-dd-dd".utf8).allSatisfy { byte, form in
        form == UInt8(ascii: "-") ? byte == form : UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      }
  }
}
