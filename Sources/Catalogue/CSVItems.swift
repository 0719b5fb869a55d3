import Windowing

/// Items out of a table with a header, by a mapping of its columns.
///
/// An empty cell is absent, and so is a quotient that cannot be had: with a cell that is no number,
/// or of something and nothing.
package struct CSVItems: ItemReader {
  package let mapping: ColumnMapping
  private let options: ReadingOptions
  private let sortColumn: Int?
  private let stripColumn: Int?
  /// The members' columns, looked up once.
  private let id, kind, aspect, width, group: ColumnMapping.Column?
  /// The fields, each with its name as JSON has it.
  private let fields: [(name: [UInt8], field: String, column: Int)]
  /// The cell that named a strip last, the name it was brought to, and the title that it makes.
  private var lastStrip: (cell: [UInt8], name: String, title: String) = ([], "", "")
  private var reader: CSVReader

  package var line: Int { reader.record.line }
  package var endsOpen: Bool { reader.endsOpen }

  /// Reads the header.
  ///
  /// - Throws: `.invalid` when there is none, or a column of the mapping is not in it; a fault of
  ///   line 1.
  package init(
    _ stream: ByteStream, mapping: ImportMapping, options: ReadingOptions = ReadingOptions()
  ) throws(CatalogueError) {
    reader = CSVReader(stream)
    guard try reader.next() else { throw .invalid("there is no header: nothing is in the file") }
    self.mapping = try mapping.columns(in: reader.record.texts(), but: options.strip)
    self.options = options
    let mapping = self.mapping
    id = mapping.members["id"]
    kind = mapping.members["kind"]
    aspect = mapping.members["aspect"]
    width = mapping.members["width"]
    group = mapping.members["group"]
    fields = try mapping.fields.map { name, column throws(CatalogueError) in
      guard !name.utf8.contains(0) else { throw .invalid("fields: a name holds a NUL character") }
      return (TextFields.name(name), name, column)
    }
    stripColumn = try options.strip.map { name throws(CatalogueError) in
      try mapping.place(of: name)
    }
    sortColumn = try options.sort.map { name throws(CatalogueError) in try mapping.place(of: name) }
  }

  package mutating func next() throws(CatalogueError) -> ReadItem? {
    guard try reader.next() else { return nil }
    let record = reader.record
    guard record.count == mapping.header.count else {
      throw .invalid("\(record.count) cells, where the header has \(mapping.header.count)")
    }
    let size = try aspect(in: record)
    var read = ReadItem(
      item: try Item(
        id: try text(id, in: record) ?? "",
        kind: try text(kind, in: record).map(KindName.brought) ?? KindName.card,
        aspect: size.aspect,
        width: try number(width, "width", in: record).map { px throws(CatalogueError) in
          try Length(checking: px)
        },
        group: try text(group, in: record), fields: try fields(in: record)))
    read.wasBroughtIntoRange = size.wasBrought
    if let stripColumn {
      try readStrip(of: record, stripColumn)
      (read.strip, read.stripTitle) = (lastStrip.name, lastStrip.title)
    }
    if let sortColumn { read.order = SortKey(record[sortColumn]) }
    return read
  }

  private func aspect(
    in record: CSVRecord
  ) throws(CatalogueError) -> (aspect: Aspect?, wasBrought: Bool) {
    guard let ratio = try number(aspect, "aspect", in: record) else { return (nil, false) }
    let brought = try options.aspect(ratio)
    return (try Aspect(checking: brought.ratio), brought.wasBrought)
  }

  /// Reads which strip a record names: the next is mostly for the same.
  private mutating func readStrip(of record: CSVRecord, _ place: Int) throws(CatalogueError) {
    let cell = record[place]
    if !lastStrip.cell.isEmpty, cell.elementsEqual(lastStrip.cell) { return }
    let text = try text(record, place)
    guard let name = StripName.brought(from: text) else {
      throw .invalid("column \(mapping.header[place].quoted): \(text.quoted) names no strip")
    }
    lastStrip = (Array(cell), name, StripSettings(title: text).isValid ? text : name)
  }

  private func text(
    _ column: ColumnMapping.Column?, in record: CSVRecord
  ) throws(CatalogueError) -> String? {
    guard case .cell(let place) = column, !record[place].isEmpty else { return nil }
    return try text(record, place)
  }

  private func number(
    _ column: ColumnMapping.Column?, _ member: String, in record: CSVRecord
  ) throws(CatalogueError) -> Double? {
    switch column {
    case .cell(let place):
      guard !record[place].isEmpty else { return nil }
      guard let number = Double(decimal: record[place]) else {
        throw .invalid("\(member): \(try text(record, place).quoted) is no number")
      }
      return number
    case .quotient(let above, let below):
      guard let above = Double(decimal: record[above]), let below = Double(decimal: record[below])
      else { return nil }
      let quotient = above / below
      return quotient.isFinite ? quotient : nil
    case nil:
      return nil
    }
  }

  private func fields(in record: CSVRecord) throws(CatalogueError) -> Fields {
    var text = TextFields()
    for field in fields where !record[field.column].isEmpty {
      guard try text.add(record[field.column], as: field.name, of: field.field) else {
        throw notUTF8(field.column)
      }
    }
    return try text.fields()
  }

  private func text(_ record: CSVRecord, _ place: Int) throws(CatalogueError) -> String {
    guard let text = String(validating: record[place], as: UTF8.self) else {
      throw notUTF8(place)
    }
    return text
  }

  private func notUTF8(_ place: Int) -> CatalogueError {
    .invalid("column \(mapping.header[place].quoted) is not valid UTF-8")
  }
}
