/// One field of the parameter `sort` of a view.
///
///     try SortField.fields(of: "year,-title")  // by year; within a year by title, descending
package struct SortField: Hashable, Sendable {
  package let field: FieldName
  package let isDescending: Bool

  package init(_ field: FieldName, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
  }
}

// MARK: - Spelling

extension SortField: CustomStringConvertible {
  package var description: String {
    let name = field.text
    let scalars = name.unicodeScalars
    let needsQuotes =
      scalars.contains(",") || scalars.first.map { "-\"'".unicodeScalars.contains($0) } ?? true
      || [scalars.first, scalars.last].contains { $0?.properties.isWhitespace ?? true }
    return (isDescending ? "-" : "") + (needsQuotes ? name.inQuotes : name)
  }

  /// Parses names separated by commas. A `-` before a name sorts descending. A name can stand in
  /// quotes. A field that is repeated counts once.
  ///
  /// - Throws: `.invalid`, with a sentence that names the error and its character (a Unicode
  ///   scalar, from 1).
  package static func fields(of text: String) throws(CatalogueError) -> [SortField] {
    let scalars = Array(text.unicodeScalars)
    var position = 0
    func skipSpace() {
      while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    }
    var fields: [SortField] = []
    while true {
      skipSpace()
      let isDescending = position < scalars.count && scalars[position] == "-"
      if isDescending { position += 1 }
      skipSpace()
      let start = position
      var name: String
      if position < scalars.count, scalars[position] == "\"" || scalars[position] == "'" {
        name = try readQuoted(from: scalars, at: &position, of: "sort")
        skipSpace()
      } else {
        while position < scalars.count, scalars[position] != "," { position += 1 }
        var end = position
        while end > start, scalars[end - 1].properties.isWhitespace { end -= 1 }
        guard end > start else {
          throw .invalid("sort: expected a field, at character \(start + 1)")
        }
        name = String(String.UnicodeScalarView(scalars[start..<end]))
      }
      let field = SortField(FieldName(name), isDescending: isDescending)
      if !fields.contains(where: { $0.field == field.field }) { fields.append(field) }
      if position == scalars.count { return fields }
      guard scalars[position] == "," else {
        throw .invalid("sort: expected \",\", at character \(position + 1)")
      }
      position += 1
    }
  }
}
