import Catalogue
import Items

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
