package import Items
import Windowing

/// Reads the items of a CSV file with a header, by a mapping of its columns.
///
/// An empty cell is absent. A quotient is absent if a cell is not a number, or if it divides by 0.
package struct CSVItems: ItemReader {
  package let mapping: ColumnMapping
  private let options: ReadingOptions
  private let sortColumn: Int?
  private let stripColumn: Int?
  private let id, kind, aspect, width, group: ColumnMapping.Column?
  /// `prefix` is that of `FieldsWriter`.
  private let fields: [(prefix: [UInt8], name: String, column: ColumnMapping.Column)]
  /// The last cell that named a strip, with its slug and title: neighbours often have the same strip.
  private var lastStrip: (cell: [UInt8], name: String, title: String) = ([], "", "")
  private var reader: CSVReader
  /// The number of the last record, from 1. The header does not count.
  private var row = 0

  package var line: Int { reader.record.line }
  package var lastLine: Int { reader.lastLine }
  package var endsOpen: Bool { reader.endsOpen }

  /// - Throws: `.invalid` if there is no header, if it lacks a column of the mapping, or if its only
  ///   column contains another delimiter.
  package init(
    _ stream: ByteStream, mapping: ImportMapping, options: ReadingOptions = ReadingOptions()
  ) throws(CatalogueError) {
    reader = CSVReader(
      stream, delimiter: options.delimiter ?? UInt8(ascii: ","), encoding: options.encoding)
    guard let namesDelimiter = try reader.header() else {
      throw .invalid("there is no header, because the file is empty")
    }
    let header = try reader.record.texts()
    if options.delimiter == nil, !namesDelimiter, header.count == 1 {
      try Self.checkDelimiter(header[0])
    }
    let mapping = try mapping.columns(in: header, except: options.strip)
    self.mapping = mapping
    self.options = options
    id = mapping.members["id"]
    kind = mapping.members["kind"]
    aspect = mapping.members["aspect"]
    width = mapping.members["width"]
    group = mapping.members["group"]
    fields = try mapping.fields.map { name, column throws(CatalogueError) in
      try Fields.check(name: name)
      return (FieldsWriter.prefix(of: name), name, column)
    }
    stripColumn = try options.strip.map { name throws(CatalogueError) in
      try mapping.index(of: name)
    }
    sortColumn = try options.sort.map { name throws(CatalogueError) in try mapping.index(of: name) }
  }

  package mutating func next() throws(CatalogueError) -> ReadItem? {
    row += 1
    guard try reader.next() else { return nil }
    let record = reader.record
    let columns = mapping.header.count
    guard (columns..<max(columns, record.count)).allSatisfy({ record[$0].isEmpty }) else {
      throw .invalid("the record has \(record.count) cells, the header \(columns)")
    }
    let size = try number(aspect, "aspect", in: record).map { ratio throws(CatalogueError) in
      try options.clamped(ratio)
    }
    var read = ReadItem(
      item: try Item(
        id: id == .row ? String(row) : try text(id, in: record) ?? "",
        kind: try text(kind, in: record).map(KindName.slug) ?? KindName.card,
        aspect: size?.aspect,
        width: try number(width, "width", in: record).map { px throws(CatalogueError) in
          try Length(checking: px)
        },
        group: try text(group, in: record), fields: try fields(in: record)))
    read.wasClamped = size?.wasClamped ?? false
    if let stripColumn {
      try readStrip(of: record, stripColumn)
      (read.strip, read.stripTitle) = (lastStrip.name, lastStrip.title)
    }
    if let sortColumn { read.sortValue = SortValue(record[sortColumn]) }
    return read
  }

  private mutating func readStrip(of record: CSVRecord, _ column: Int) throws(CatalogueError) {
    let cell = record[column]
    if !lastStrip.cell.isEmpty, cell.elementsEqual(lastStrip.cell) { return }
    let text = try record.text(column, of: label(column))
    guard let name = StripName.slug(from: text) else {
      throw .invalid(
        "\(label(column)): \(text.quoted) names no strip, because it has neither a to z nor 0 to 9")
    }
    lastStrip = (Array(cell), name, StripSettings(title: text).isValid ? text : name)
  }

  private func text(
    _ column: ColumnMapping.Column?, in record: CSVRecord
  ) throws(CatalogueError) -> String? {
    guard case .cell(let column) = column, !record[column].isEmpty else { return nil }
    return try record.text(column, of: label(column))
  }

  private func number(
    _ column: ColumnMapping.Column?, _ member: String, in record: CSVRecord
  ) throws(CatalogueError) -> Double? {
    switch column {
    case .cell(let column):
      guard !record[column].isEmpty else { return nil }
      guard let number = Double(decimal: record[column]) else {
        let text = try record.text(column, of: label(column))
        throw .invalid("\(member): \(text.quoted) is not a number")
      }
      return number
    case .quotient(let dividend, let divisor):
      guard let dividend = Double(decimal: record[dividend]),
        let divisor = Double(decimal: record[divisor])
      else { return nil }
      let quotient = dividend / divisor
      return quotient.isFinite ? quotient : nil
    case .row, nil:
      return nil
    }
  }

  private func fields(in record: CSVRecord) throws(CatalogueError) -> Fields {
    var writer = FieldsWriter()
    for field in fields {
      guard case .cell(let column) = field.column else {
        if let quotient = try number(field.column, field.name, in: record) {
          let text = Array(quotient.shortText.utf8)
          _ = try writer.append(text[...], as: field.prefix, of: field.name)
        }
        continue
      }
      guard !record[column].isEmpty else { continue }
      guard try writer.append(record[column], as: field.prefix, of: field.name) else {
        throw record.invalidText(label(column))
      }
    }
    return try writer.fields()
  }

  private func label(_ column: Int) -> String { "column \(mapping.header[column].quoted)" }

  private static func checkDelimiter(_ header: String) throws(CatalogueError) {
    for (delimiter, argument) in [(";", "';'"), ("\t", "tab"), ("|", "'|'")]
    where header.contains(delimiter) {
      throw .invalid(
        "the header \(header.quoted) is one column: if its columns are separated otherwise, add "
          + "--delimiter \(argument)")
    }
  }
}

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
      throw .invalid(
        "there is no column \"id\": name another with --map id=COLUMN, or number the records with "
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

  fileprivate init(header: [String]) { self.header = header }

  /// The names of all columns, for errors. A column without a name is `@` and its number.
  fileprivate var names: String {
    header.enumerated().map { $1.isEmpty ? "@\($0 + 1)" : $1.quoted }.joined(separator: ", ")
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

  fileprivate mutating func map(_ member: String, to column: String) throws(CatalogueError) {
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

  fileprivate mutating func mapOthers(except other: String?) throws(CatalogueError) {
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
