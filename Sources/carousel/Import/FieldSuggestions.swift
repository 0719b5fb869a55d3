import Catalogue

/// What `import --dry-run` suggests to declare: columns for `--filterable` and `--searchable`.
///
/// A column is filterable if its values are numbers or dates, or if few of them differ. It is searchable
/// if it holds text of several words. The fields that the card draws from (`image`, `href`, `alt`,
/// `color`) are neither.
struct FieldSuggestions {
  private var columns: [FieldName: Column] = [:]
  private var order: [FieldName] = []

  fileprivate struct Column {
    var count = 0
    var numbers = 0
    var dates = 0
    /// Values with more than one word.
    var phrases = 0
    /// At most `maximumDistinct` values.
    var distinct: Set<[UInt8]> = []
  }

  /// More distinct values than this are not counted.
  fileprivate static let maximumDistinct = 10_000
  private static let drawn: Set<FieldName> = ["image", "href", "alt", "color"]

  mutating func count(_ item: Item) {
    for (name, value) in item.fields.pairs {
      let name = FieldName(name)
      // A comma cannot stand in a name on the command line.
      guard !Self.drawn.contains(name), !name.text.utf8.contains(UInt8(ascii: ",")) else {
        continue
      }
      if columns[name] == nil { order.append(name) }
      columns[name, default: Column()].count(FieldValue(value.text))
    }
  }

  /// The options to add to the import; nil if there is nothing to suggest.
  var options: String? {
    let filterable = order.filter { columns[$0]?.isFilterable == true }.prefix(32)
    let searchable = order.filter { columns[$0]?.isSearchable == true }.prefix(8)
    let lists = [("--filterable", filterable), ("--searchable", searchable)]
    let options = lists.filter { !$1.isEmpty }.map { option, names in
      "\(option) \(Self.quoted(names.map(\.text).joined(separator: ",")))"
    }
    return options.isEmpty ? nil : options.joined(separator: " ")
  }

  /// A word of the shell.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ",")
    }
    return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}

extension FieldSuggestions.Column {
  mutating func count(_ value: FieldValue) {
    count += 1
    if value.number != nil { numbers += 1 } else if value.isDate { dates += 1 }
    if value.text.split(separator: UInt8(ascii: " ")).count > 1 { phrases += 1 }
    if distinct.count < FieldSuggestions.maximumDistinct { distinct.insert(value.text) }
  }

  private var isOrdered: Bool { (numbers + dates) * 10 >= count * 9 }

  var isFilterable: Bool {
    isOrdered || distinct.count < FieldSuggestions.maximumDistinct && distinct.count * 2 <= count
  }

  var isSearchable: Bool { !isOrdered && phrases * 2 >= count }
}

extension FieldValue {
  /// Whether the text begins with a date by ISO 8601, such as `1832-05-01`.
  fileprivate var isDate: Bool {
    text.count >= 10
      && zip(text, "dddd-dd-dd".utf8).allSatisfy { byte, form in
        form == UInt8(ascii: "-") ? byte == form : UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      }
  }
}
