import Catalogue
import Foundation
import Items
import Serving

/// The counts of an import, for its summary.
struct ImportReport {
  /// The valid items in the file, including those that the store rejected.
  var read = 0
  private(set) var items = 0
  private var kinds: [String: Int] = [:]
  private var withoutSize = 0
  private var clamped = 0
  private var hasFields = false
  private var hasTitle = false
  private var firstFields: [Fields] = []
  private var skipped = 0
  /// The lines that skipped records take.
  private var skippedLines = 0
  private var firstErrors: [String] = []
  private var declared: DeclaredFields

  init(_ declared: DeclaredFields) { self.declared = declared }

  /// A warning for each declared field that no item has.
  var warnings: [String] { items > 0 ? declared.warnings : [] }

  mutating func count(_ read: ParsedItem) {
    items += 1
    declared.count(read.item)
    kinds[read.item.kind, default: 0] += 1
    if read.item.aspect == nil && read.item.width == nil { withoutSize += 1 }
    if read.wasClamped { clamped += 1 }
    if firstFields.count < 16 { firstFields.append(read.item.fields) }
    if !hasTitle { hasTitle = read.item.fields["title"] != nil }
    if !hasFields { hasFields = !read.item.fields.pairs.isEmpty }
  }

  /// The summary shows the first five errors.
  mutating func skip(_ error: String, lines: Int) {
    skipped += 1
    skippedLines += lines
    if firstErrors.count < 5 { firstErrors.append(error) }
  }

  var noItemError: String? {
    guard read == 0, let first = firstErrors.first else { return nil }
    return "none of \(skipped.of("record")) is a valid item; the first error: \(first)"
  }

  var lines: [String] {
    var lines = [items.of("item")]
    if items > 0 {
      let counts = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      lines.append(
        "\(kinds.count.of("kind")): "
          + counts.map { "\($0.key) \($0.value.grouped)" }.joined(separator: ", "))
      lines.append("\(withoutSize.of("item")) without a size, \(clamped.of("aspect")) clamped")
      if !hasFields {
        lines.append("no item has a field: --map title=COLUMN and --map 'fields=*' keep columns")
      } else if !hasTitle, let field = CardFacts.title(of: firstFields) {
        lines.append(
          "no item has a title: pages show \(field.quoted) in its place; --map title=COLUMN names one"
        )
      }
    }
    guard skipped > 0 else { return lines }
    let taken = skippedLines > skipped ? ", of \(skippedLines.of("line"))" : ""
    lines.append("\(skipped.of("record")) skipped\(taken):")
    lines += firstErrors.map { "  \($0.escapingControls())" }
    if skipped > firstErrors.count { lines.append("  ...") }
    return lines
  }
}

extension StripCounts {
  var line: String {
    "\(all.of("strip")): \(created.grouped) new, \(changed.grouped) changed, \(same.grouped) unchanged"
  }
}

extension ColumnMapping {
  /// One line for each member and field with its column: `title <- name`.
  var lines: [String] {
    var pairs: [(String, String)] = []
    for member in FieldName.members.map(\.text) {
      if let column = members[member] { pairs.append((member, name(of: column))) }
    }
    pairs += fields.map { ("fields.\($0.name)", name(of: $0.column)) }
    let width = pairs.map(\.0.count).max() ?? 0
    return pairs.map { name, column in
      (name + String(repeating: " ", count: width - name.count) + " <- \(column)")
        .escapingControls()
    }
  }

  private func name(of column: Column) -> String {
    switch column {
    case .cell(let column): name(of: column)
    case .quotient(let dividend, let divisor): "\(name(of: dividend)) / \(name(of: divisor))"
    case .row: "@row"
    }
  }

  private func name(of column: Int) -> String {
    header[column].isEmpty ? "@\(column + 1)" : header[column]
  }
}

extension Int {
  /// The count with a noun: `1 item`, `1,234 items`.
  func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  var grouped: String { (self < 0 ? "-" : "") + String(magnitude).grouped(by: ",") }
}
