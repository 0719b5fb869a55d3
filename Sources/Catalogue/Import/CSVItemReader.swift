package import Items
import Windowing

/// Reads the items of a CSV file with a header, by a mapping of its columns.
///
/// An empty cell is absent. A quotient is absent if a cell is not a number, or if it divides by 0.
package struct CSVItemReader: ItemReader {
  package let mapping: ColumnMapping
  private let options: ReadingOptions
  private let sortColumn: Int?
  private let stripColumn: Int?
  private let id, kind, aspect, width, group: ColumnMapping.Column?
  /// `prefix` is the result of `FieldsWriter.prefix(of:)`.
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

  package mutating func next() throws(CatalogueError) -> ParsedItem? {
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
    var read = ParsedItem(
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
