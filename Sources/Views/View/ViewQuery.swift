package import Items

/// The parameters that make a view of a strip: some of its items, in some order.
///
///     var query = ViewQuery()
///     try query.set(.filter, to: "artist=Turner")
///     query.parameters  // [(.filter, "artist = Turner")]
///
/// Two queries with the same canonical spellings are equal.
package struct ViewQuery: Hashable, Sendable {
  /// The name of a stored list: its items in its order. Nil for all items in the strip's order.
  package private(set) var list: String?
  package private(set) var filter: Filter?
  package internal(set) var search: Search?
  /// The order; empty for the order of `list`.
  package private(set) var sort: [SortField] = []

  /// The parameters of a view, in the order of a response's `view`.
  package enum Parameter: String, CaseIterable, Sendable {
    case list
    case filter = "where"
    case search = "q"
    case sort
  }

  package init() {}

  /// Whether no parameter was given: the view is the strip.
  package var isEmpty: Bool { list == nil && filter == nil && search == nil && sort.isEmpty }

  /// Sets a parameter. An empty text counts as absent. `relevance` is left out of a sort if there is no search, because all
  /// items are equally relevant then.
  ///
  /// - Precondition: Parameters are set in the order of `Parameter`.
  /// - Throws: `.invalid`, with a sentence that begins with the parameter's name.
  package mutating func set(_ parameter: Parameter, to text: String) throws(CatalogueError) {
    let isAbsent = text.isEmpty
    switch parameter {
    case .list:
      guard isAbsent || Self.isListName(text) else {
        throw .invalid("list: \(text.quoted) is not the name of a list")
      }
      list = isAbsent ? nil : text
    case .filter: filter = isAbsent ? nil : try Filter(text)
    case .search: search = isAbsent ? nil : try Search(text)
    case .sort:
      sort = isAbsent ? [] : try SortField.fields(of: text)
      if search == nil { sort.removeAll(where: \.isRelevance) }
    }
  }

  /// The parameters that were given, with their canonical spellings, in the order of `Parameter`.
  package var parameters: [(parameter: Parameter, text: String)] {
    Parameter.allCases.compactMap { parameter in
      let text: String? =
        switch parameter {
        case .list: list
        case .filter: filter?.description
        case .search: search?.description
        case .sort: sort.isEmpty ? nil : sort.map(\.description).joined(separator: ",")
        }
      return text.map { (parameter, $0) }
    }
  }

  /// The fields of `where` and `sort`, each once.
  package var fields: [FieldName] {
    var fields = filter?.fields ?? []
    for key in sort where !key.isRelevance && !fields.contains(key.field) {
      fields.append(key.field)
    }
    return fields
  }

  /// The search, if items are sorted by their relevance to it.
  var ranking: Search? { sort.contains(where: \.isRelevance) ? search : nil }

  /// Checks that a parameter uses only fields that every strip has or that this one declares. Only a filter
  /// can use `id`, and only a sort `relevance`.
  ///
  /// - Throws: `.invalid`, with a sentence that begins with the parameter's name and names the field.
  package func check(_ parameter: Parameter, filterable: [FieldName]) throws(CatalogueError) {
    let fields =
      switch parameter {
      case .filter: filter?.fields ?? []
      case .sort: sort.filter { !$0.isRelevance }.map(\.field)
      case .list, .search: [FieldName]()
      }
    guard parameter != .sort || !fields.contains("id") else {
      throw .invalid("sort: items cannot be sorted by id")
    }
    for field in fields where !filterable.contains(field) && !FieldName.members.contains(field) {
      throw .invalid("\(parameter.rawValue): the field \(field.text.quoted) is not filterable")
    }
  }

  /// Whether `text` has the form of a list's name: a SHA-256 in unpadded base64url.
  package static func isListName(_ text: String) -> Bool {
    text.utf8.count == 43
      && text.utf8.allSatisfy { byte in
        byte.isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }
}

// MARK: - Sorts

/// One field of the parameter `sort` of a view.
///
///     try SortField.fields(of: "year,-title")  // by year; within a year by title, descending
package struct SortField: Hashable, Sendable {
  package let field: FieldName
  package let isDescending: Bool
  /// Whether this is not a field, but the relevance to `q`. A field of the same name is hidden.
  package let isRelevance: Bool

  package init(_ field: FieldName, isDescending: Bool = false) {
    self.field = field
    self.isDescending = isDescending
    isRelevance = field == "relevance"
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
    try fields(of: text, withSigns: true)
  }

  /// Parses names as `fields(of:)` does, but a `-` before a name is its first character.
  package static func names(of text: String) throws(CatalogueError) -> [FieldName] {
    try fields(of: text, withSigns: false).map(\.field)
  }

  private static func fields(
    of text: String, withSigns hasSigns: Bool
  ) throws(CatalogueError) -> [SortField] {
    let scalars = Array(text.unicodeScalars)
    var position = 0
    func skipSpace() {
      while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    }
    var fields: [SortField] = []
    while true {
      skipSpace()
      let isDescending = hasSigns && position < scalars.count && scalars[position] == "-"
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
