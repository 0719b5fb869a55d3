import Windowing

/// Items out of a table with a header, by a mapping of its columns.
///
/// An empty cell is absent, and so is a quotient that cannot be had: with a cell that is no number,
/// or of something and nothing.
package struct CSVItems: ItemReader {
  package let mapping: ColumnMapping
  private let options: ReadingOptions
  private let sortColumn: Int?
  private var reader: CSVReader

  package var line: Int { reader.record.line }

  /// Reads the header.
  ///
  /// - Throws: `.invalid` when there is none, or a column of the mapping is not in it; a fault of
  ///   line 1.
  package init(
    _ stream: ByteStream, mapping: ImportMapping, options: ReadingOptions = ReadingOptions()
  ) throws(CatalogueError) {
    reader = CSVReader(stream)
    guard try reader.next() else { throw .invalid("there is no header: nothing is in the file") }
    self.mapping = try mapping.columns(in: reader.record.texts())
    self.options = options
    let mapping = self.mapping
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
        id: try text("id", in: record) ?? "",
        kind: try text("kind", in: record).map(KindName.brought) ?? KindName.card,
        aspect: size.aspect,
        width: try number("width", in: record).map { px throws(CatalogueError) in
          try Length(checking: px)
        },
        group: try text("group", in: record), fields: try fields(in: record)))
    read.wasBroughtIntoRange = size.wasBrought
    if let sortColumn { read.order = SortKey(record[sortColumn]) }
    return read
  }

  private func aspect(
    in record: CSVRecord
  ) throws(CatalogueError) -> (aspect: Aspect?, wasBrought: Bool) {
    guard let ratio = try number("aspect", in: record) else { return (nil, false) }
    let brought = try options.aspect(ratio)
    return (try Aspect(checking: brought.ratio), brought.wasBrought)
  }

  private func text(_ member: String, in record: CSVRecord) throws(CatalogueError) -> String? {
    guard case .cell(let place) = mapping.members[member], !record[place].isEmpty else {
      return nil
    }
    return try text(record, place)
  }

  private func number(_ member: String, in record: CSVRecord) throws(CatalogueError) -> Double? {
    switch mapping.members[member] {
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
    var pairs: [(name: String, value: Fields.Value)] = []
    for field in mapping.fields where !record[field.column].isEmpty {
      pairs.append((field.name, .string(try text(record, field.column))))
    }
    return try Fields(pairs)
  }

  private func text(_ record: CSVRecord, _ place: Int) throws(CatalogueError) -> String {
    guard let text = String(validating: record[place], as: UTF8.self) else {
      throw .invalid("column \(mapping.header[place].quoted) is not valid UTF-8")
    }
    return text
  }
}
