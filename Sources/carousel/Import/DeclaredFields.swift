import ArgumentParser
import Catalogue
import Items

/// A list of names as a record of CSV: `year,"Width, in cm"`.
struct FieldList: ExpressibleByArgument {
  let names: [FieldName]

  init?(argument: String) {
    var reader = CSVReader(ByteStream(Array(argument.utf8)))
    guard let isRead = try? reader.next(), let texts = isRead ? try? reader.record.texts() : []
    else { return nil }
    names = texts.filter { !$0.isEmpty }.map { FieldName($0) }
  }

  static func text(of names: [FieldName]) -> String {
    names.map { name in
      let isPlain = name.text.utf8.allSatisfy { !",\"\n\r".utf8.contains($0) }
      return isPlain ? name.text : "\"\(name.text.replacing("\"", with: "\"\""))\""
    }.joined(separator: ",")
  }
}

/// The fields that `--filterable` and `--searchable` name, and which of them no item has. A filter by
/// such a field finds nothing.
struct DeclaredFields {
  private var missing: [(option: String, name: FieldName)]
  /// The names of the fields that items have, until no declared field is missing.
  private var seen: Set<FieldName> = []

  init(filterable: FieldList?, searchable: FieldList?) {
    let lists = [("--filterable", filterable), ("--searchable", searchable)]
    missing = lists.flatMap { option, list in (list?.names ?? []).map { (option, $0) } }
    missing.removeAll { FieldName.members.contains($0.name) }
  }

  mutating func count(_ item: Item) {
    if missing.isEmpty { return }
    for (name, _) in item.fields.pairs { seen.insert(FieldName(name)) }
    missing.removeAll { seen.contains($0.name) }
  }

  var warnings: [String] {
    missing.map { option, name in
      let distances = seen.map { ($0.text.distance(to: name.text), $0.text) }
      // A name that differs in more than half of the letters is no misspelling.
      let alike = distances.filter { $0.0 * 2 <= name.text.count }.min { $0 < $1 }
      let nearest = alike.map { "; the nearest name is \"\($0.1)\"" } ?? ""
      let offer = option == "--filterable" ? ". Pages offer it in their menus all the same" : ""
      return "\(option): no item of the file has a field \"\(name.text)\"\(nearest)\(offer)"
        .escapingControls()
    }
  }
}

extension String {
  /// The number of letters to add, remove or replace. Case does not count.
  fileprivate func distance(to other: String) -> Int {
    let (from, to) = (Array(lowercased()), Array(other.lowercased()))
    var row = Array(0...to.count)
    for (i, letter) in from.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in to.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[to.count]
  }
}
