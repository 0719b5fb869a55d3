/// Which columns of a table become which members of an item: what `--map` says.
///
///     let mapping = try ImportMapping(["title=title", "aspect=width/height", "group=year"])
///
/// `id`, `kind`, `aspect`, `width` and `group` are members, any other name is one of the item's
/// fields. Without a mapping of its own, `id` is the column `id`. `fields=*` makes fields of all
/// columns that are not mapped.
package struct ImportMapping: Sendable {
  /// Pairs of a member or field and the columns it is taken from, as they were written, in order.
  package private(set) var entries: [(member: String, column: String)] = []
  package private(set) var takesAllColumns = false
  /// Whether nothing was said of `id`, so that it is the column `id`.
  private let impliesID: Bool

  static let members: Set = ["id", "kind", "aspect", "width", "group"]

  /// Whether `name` is that of a member of an item.
  package static func isOfAnItem(_ name: String) -> Bool {
    members.contains(name) || name == "fields"
  }

  /// - Throws: `.invalid` for a text that is no `MEMBER=COLUMN`, or a member that comes twice.
  package init(_ texts: [String]) throws(CatalogueError) {
    for text in texts {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex,
        text.index(after: sign) < text.endIndex
      else { throw .invalid("\(text.quoted) is no MEMBER=COLUMN") }
      let member = String(text[..<sign])
      let column = String(text[text.index(after: sign)...])
      if member == "fields" {
        guard column == "*" else { throw .invalid("fields: only fields=* is known") }
        takesAllColumns = true
        continue
      }
      guard !entries.contains(where: { $0.member == member }) else {
        throw .invalid("\(member.quoted) is mapped twice")
      }
      entries.append((member, column))
    }
    impliesID = !entries.contains { $0.member == "id" }
    if impliesID { entries.insert(("id", "id"), at: 0) }
  }

  /// The mapping with the places of its columns in a table of this header.
  ///
  /// - Parameter other: a column that `fields=*` passes over, as it is taken for something else.
  /// - Throws: `.invalid` for a column that is not there, or is there twice.
  package func columns(
    in header: [String], but other: String? = nil
  ) throws(CatalogueError) -> ColumnMapping {
    if impliesID, !header.contains("id") {
      throw .invalid(
        "there is no column \("id".quoted): say which one holds it with --map id=COLUMN; there are "
          + header.map(\.quoted).joined(separator: ", "))
    }
    var columns = ColumnMapping(header: header)
    for (member, column) in entries { try columns.map(member, to: column) }
    if takesAllColumns { try columns.mapOthers(but: other) }
    return columns
  }
}

/// A mapping whose columns have been found in a header.
package struct ColumnMapping: Sendable {
  /// Where the value of a member stands in a record.
  package enum Column: Hashable, Sendable {
    case cell(Int)
    case quotient(Int, Int)
  }

  package let header: [String]
  package private(set) var members: [String: Column] = [:]
  package private(set) var fields: [(name: String, column: Int)] = []

  fileprivate init(header: [String]) { self.header = header }

  /// The place of the column with this name.
  ///
  /// - Throws: `.invalid` when it is not there, or there twice.
  package func place(of name: String) throws(CatalogueError) -> Int {
    let places = header.indices.filter { header[$0].utf8.elementsEqual(name.utf8) }
    guard let place = places.first else {
      throw .invalid(
        "there is no column \(name.quoted); there are "
          + header.map(\.quoted).joined(separator: ", "))
    }
    guard places.count == 1 else { throw .invalid("there are two columns \(name.quoted)") }
    return place
  }

  fileprivate mutating func map(_ member: String, to column: String) throws(CatalogueError) {
    if !ImportMapping.members.contains(member) {
      fields.append((member, try place(of: column)))
    } else if !header.contains(column), let slash = column.firstIndex(of: "/") {
      guard member == "aspect" || member == "width" else {
        throw .invalid("\(member): only aspect and width can be quotients")
      }
      members[member] = .quotient(
        try place(of: String(column[..<slash])),
        try place(of: String(column[column.index(after: slash)...])))
    } else {
      members[member] = .cell(try place(of: column))
    }
  }

  fileprivate mutating func mapOthers(but other: String?) throws(CatalogueError) {
    var mapped = Set(fields.map(\.column))
    for column in members.values {
      switch column {
      case .cell(let place): mapped.insert(place)
      case .quotient(let above, let below): mapped.formUnion([above, below])
      }
    }
    for (place, name) in header.enumerated() where !mapped.contains(place) && name != other {
      guard !fields.contains(where: { $0.name == name }) else {
        throw .invalid("fields: two columns would become \(name.quoted)")
      }
      fields.append((name, place))
    }
  }
}
