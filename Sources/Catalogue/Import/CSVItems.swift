import Windowing

/// Reads the items of a CSV file with a header, by a mapping of its columns.
///
/// An empty cell is absent. A quotient is absent if a cell is not a number, or if it divides by 0.
package struct CSVItems: ItemReader {
  package let mapping: ColumnMapping
  private let options: ReadingOptions
  private let sortColumn: Int?
  private let stripColumn: Int?
  /// The columns of the members.
  private let id, kind, aspect, width, group: ColumnMapping.Column?
  /// The columns of the fields, each with its name as JSON.
  private let fields: [(prefix: [UInt8], name: String, column: Int)]
  /// The last cell that named a strip, with its slug and title: neighbours often have the same strip.
  private var lastStrip: (cell: [UInt8], name: String, title: String) = ([], "", "")
  private var reader: CSVReader
  /// The number of the last record, from 1. The header does not count.
  private var row = 0

  package var line: Int { reader.record.line }
  package var endsOpen: Bool { reader.endsOpen }

  /// Reads the header.
  ///
  /// - Throws: `.invalid` if there is no header, if it lacks a column of the mapping, or if its only
  ///   column contains another delimiter. The error belongs to line 1.
  package init(
    _ stream: ByteStream, mapping: ImportMapping, options: ReadingOptions = ReadingOptions()
  ) throws(CatalogueError) {
    reader = CSVReader(stream, delimiter: options.delimiter ?? UInt8(ascii: ","))
    guard try reader.next() else {
      throw .invalid("there is no header, because the file is empty")
    }
    let header = try reader.record.texts()
    if options.delimiter == nil, header.count == 1 { try Self.checkDelimiter(header[0]) }
    self.mapping = try mapping.columns(in: header, except: options.strip)
    self.options = options
    let mapping = self.mapping
    id = mapping.members["id"]
    kind = mapping.members["kind"]
    aspect = mapping.members["aspect"]
    width = mapping.members["width"]
    group = mapping.members["group"]
    fields = try mapping.fields.map { name, column throws(CatalogueError) in
      try Fields.check(name: name)
      return (TextFields.prefix(of: name), name, column)
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
    guard record.count == mapping.header.count else {
      throw .invalid("the record has \(record.count) cells, the header \(mapping.header.count)")
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
    if let sortColumn { read.order = SortKey(record[sortColumn]) }
    return read
  }

  /// Reads the strip of a record into `lastStrip`.
  private mutating func readStrip(of record: CSVRecord, _ column: Int) throws(CatalogueError) {
    let cell = record[column]
    if !lastStrip.cell.isEmpty, cell.elementsEqual(lastStrip.cell) { return }
    let text = try text(record, column)
    guard let name = StripName.slug(from: text) else {
      throw .invalid(
        "column \(mapping.header[column].quoted): \(text.quoted) names no strip, because it has "
          + "neither a to z nor 0 to 9")
    }
    lastStrip = (Array(cell), name, StripSettings(title: text).isValid ? text : name)
  }

  private func text(
    _ column: ColumnMapping.Column?, in record: CSVRecord
  ) throws(CatalogueError) -> String? {
    guard case .cell(let column) = column, !record[column].isEmpty else { return nil }
    return try text(record, column)
  }

  private func number(
    _ column: ColumnMapping.Column?, _ member: String, in record: CSVRecord
  ) throws(CatalogueError) -> Double? {
    switch column {
    case .cell(let column):
      guard !record[column].isEmpty else { return nil }
      guard let number = Double(decimal: record[column]) else {
        throw .invalid("\(member): \(try text(record, column).quoted) is not a number")
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
    var text = TextFields()
    for field in fields where !record[field.column].isEmpty {
      guard try text.append(record[field.column], as: field.prefix, of: field.name) else {
        throw notUTF8(field.column)
      }
    }
    return try text.fields()
  }

  private func text(_ record: CSVRecord, _ column: Int) throws(CatalogueError) -> String {
    guard let text = String(validating: record[column], as: UTF8.self) else {
      throw notUTF8(column)
    }
    return text
  }

  private func notUTF8(_ column: Int) -> CatalogueError {
    .invalid(
      "column \(mapping.header[column].quoted) is not valid UTF-8: if the file has another encoding, "
        + "add --encoding windows-1252, for example")
  }

  /// - Throws: `.invalid` if the header is one column that contains a delimiter other than the comma.
  private static func checkDelimiter(_ header: String) throws(CatalogueError) {
    for (delimiter, argument) in [(";", "';'"), ("\t", "tab"), ("|", "'|'")]
    where header.contains(delimiter) {
      throw .invalid(
        "the header \(header.quoted) is one column: if its columns are separated otherwise, add "
          + "--delimiter \(argument)")
    }
  }
}
