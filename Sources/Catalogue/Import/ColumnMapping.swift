package import Items
import Windowing

/// The options `--map`: which columns of a CSV file become which members and fields of an item.
///
///     let mapping = try ImportMapping(["title=title", "aspect=width/height", "group=year"])
///
/// `id`, `kind`, `aspect`, `width` and `group` are members; any other name is a field. Without a
/// mapping, `id` is the column `id`. `fields=*` makes fields of all other columns that have a name.
/// `@3` is the third column, if no column has this name. `id=@row` numbers the records from 1.
package struct ImportMapping: Sendable {
  /// The members and fields, each with its column or quotient, in the order given.
  private var entries: [(member: String, column: String)] = []
  private var mapsOtherColumns = false
  /// Whether `id` is the column `id` by default.
  private let impliesID: Bool

  static let members = Set(FieldName.members.map(\.text))

  package static func isMember(_ name: String) -> Bool {
    members.contains(name) || name == "fields"
  }

  /// - Throws: `.invalid` for a text that is not `MEMBER=COLUMN`, or a repeated member.
  package init(_ texts: [String]) throws(CatalogueError) {
    for text in texts {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex,
        text.index(after: sign) < text.endIndex
      else { throw .invalid("\(text.quoted) is not MEMBER=COLUMN") }
      let member = String(text[..<sign])
      let column = String(text[text.index(after: sign)...])
      if member == "fields" {
        guard column == "*" else {
          throw .invalid("fields: use fields=*, or NAME=COLUMN for each field")
        }
        mapsOtherColumns = true
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

  /// - Parameter other: a column that `fields=*` skips, because it has another use.
  /// - Throws: `.invalid` for a column that is missing or repeated.
  package func columns(
    in header: [String], except other: String? = nil
  ) throws(CatalogueError) -> ColumnMapping {
    var columns = ColumnMapping(header: header)
    if impliesID, !header.contains("id") {
      let named = columns.likelyID.map { "--map 'id=\($0)'" } ?? "--map id=COLUMN"
      throw .invalid(
        "there is no column \"id\": name another with \(named), or number the records with "
          + "--map id=@row; the columns are \(columns.names)")
    }
    for (member, column) in entries { try columns.map(member, to: column) }
    if mapsOtherColumns { try columns.mapOthers(except: other) }
    return columns
  }
}

/// The columns of a file's members and fields.
package struct ColumnMapping: Sendable {
  /// The source of a member's value: indices of cells.
  package enum Column: Hashable, Sendable {
    case cell(Int)
    case quotient(Int, Int)
    /// The number of the record.
    case row
  }

  package let header: [String]
  package private(set) var members: [String: Column] = [:]
  package private(set) var fields: [(name: String, column: Column)] = []

  init(header: [String]) { self.header = header }

  /// The names of all columns, for errors. A column without a name is `@` and its number.
  var names: String {
    header.enumerated().map { $1.isEmpty ? "@\($0 + 1)" : $1.quoted }.joined(separator: ", ")
  }

  /// The first column whose name says that it has ids, such as `SKU` or `product_id`, for errors.
  var likelyID: String? {
    let names: Set = [
      "id", "sku", "uid", "uuid", "guid", "ean", "gtin", "isbn", "key", "handle", "slug",
    ]
    return header.first { name in
      let words = name.split { !$0.isLetter && !$0.isNumber }
      let isSafe = !name.contains { $0 == "'" || $0.isNewline }
      return isSafe
        && words.last.map { names.contains($0.lowercased()) || $0.hasSuffix("Id") } == true
    }
  }

  /// The index of the column with this name, or with this number: `@1`.
  ///
  /// - Throws: `.invalid` if it is missing or repeated.
  package func index(of name: String) throws(CatalogueError) -> Int {
    let indices = header.indices.filter { header[$0].utf8.elementsEqual(name.utf8) }
    if indices.isEmpty, name.hasPrefix("@"), let number = Int(name.dropFirst()),
      1...header.count ~= number
    {
      return number - 1
    }
    guard let index = indices.first else {
      throw .invalid("there is no column \(name.quoted); the columns are \(names)")
    }
    guard indices.count == 1 else {
      throw .invalid(
        "the column \(name.quoted) is repeated in the header: give its number, @\(index + 1) or "
          + "@\(indices[1] + 1)")
    }
    return index
  }

  mutating func map(_ member: String, to column: String) throws(CatalogueError) {
    if column == "@row", !header.contains(column) {
      guard member == "id" else { throw .invalid("\(member): only the id can be @row") }
      members[member] = .row
    } else if !header.contains(column), let slash = column.firstIndex(of: "/") {
      let isField = !ImportMapping.members.contains(member)
      guard isField || ItemMember(rawValue: member)?.isNumber == true else {
        throw .invalid(
          "\(member): there is no column \(column.quoted), and only aspect, width and fields can "
            + "be quotients")
      }
      let dividend = try index(of: String(column[..<slash]))
      let divisor = try index(of: String(column[column.index(after: slash)...]))
      set(member, to: .quotient(dividend, divisor))
    } else {
      set(member, to: .cell(try index(of: column)))
    }
  }

  private mutating func set(_ member: String, to column: Column) {
    if ImportMapping.members.contains(member) {
      members[member] = column
    } else {
      fields.append((member, column))
    }
  }

  mutating func mapOthers(except other: String?) throws(CatalogueError) {
    var mapped: Set<Int> = []
    for column in members.values + fields.map(\.column) {
      switch column {
      case .cell(let index): mapped.insert(index)
      case .quotient(let dividend, let divisor): mapped.formUnion([dividend, divisor])
      case .row: break
      }
    }
    for (index, name) in header.enumerated()
    where !name.isEmpty && !mapped.contains(index) && name != other {
      guard !fields.contains(where: { $0.name == name }) else {
        throw .invalid(
          "fields: two columns would become the field \(name.quoted): map one of them by its number, "
            + "NAME=@\(index + 1)")
      }
      fields.append((name, .cell(index)))
    }
  }
}
