import Catalogue
import HTTP
import Windowing

/// The query parameters of one request, with checks of their form and range.
///
/// An empty parameter counts as absent. Each function throws a 400 that names its parameter.
///
/// - Complexity: one comparison of two words for each name. Only functions that return a `String`
///   allocate one.
struct Parameters {
  private let query: Query
  /// The marks of the names in the query, in the same order.
  private let marks: [NamePrefix]

  /// - Throws: 400 for a parameter that is not `known` or is repeated.
  init(_ query: Query, known: KnownNames) throws(Problem) {
    let marks = query.namePrefixes
    for index in query.indices {
      guard let name = known.names.first(where: { query.isNamed($0, at: index, marks[index]) })
      else {
        throw .parameter(query[index].name.text, "is no parameter of this path")
      }
      for earlier in 0..<index where query.isNamed(name, at: earlier, marks[earlier]) {
        throw .parameter(name, "is given twice")
      }
    }
    self.query = query
    self.marks = marks
  }

  /// The parameters of `request`.
  ///
  /// - Parameter ignoresOthers: whether parameters that are not `known` are ignored.
  init(
    _ request: Request, known: KnownNames, ignoresOthers: Bool = false
  ) throws(Problem) {
    var query = try Query(request, ignoring: "v")
    if ignoresOthers {
      let marks = query.namePrefixes
      let indices = query.indices.filter { index in
        known.names.contains { query.isNamed($0, at: index, marks[index]) }
      }
      query = Query(indices.map { query[$0] })
    }
    try self.init(query, known: known)
  }

  /// The value. Nil if the parameter is absent or empty.
  func text(_ name: ParameterName) -> String? { value(name)?.text }

  /// Whether a name begins with `prefix`, which has at most eight bytes.
  func hasName(startingWith prefix: ParameterName) -> Bool {
    marks.contains { $0.begins(with: prefix.mark) }
  }

  /// - Throws: 400 that names the later of two parameters that exclude each other.
  func exclude(_ one: ParameterName, _ other: ParameterName) throws(Problem) {
    guard value(one) != nil, value(other) != nil else { return }
    let given = query.filter { $0.name.equals(one.text) || $0.name.equals(other.text) }
    throw .parameter(given[1].name.text, "cannot be given together with \(given[0].name.text)")
  }

  func choice<Value>(
    _ name: ParameterName, _ choices: @autoclosure () -> KeyValuePairs<StaticString, Value>
  ) throws(Problem) -> Value? {
    guard let word = value(name) else { return nil }
    let choices = choices()
    if let choice = choices.first(where: { word.equals($0.key) }) { return choice.value }
    let words = choices.map(\.key.description).joined(separator: ", ")
    throw .parameter(name, "must be one of \(words)")
  }

  func stripName(_ name: ParameterName) throws(Problem) -> String? {
    guard let text = text(name) else { return nil }
    guard StripName.isValid(text) else {
      throw .parameter(name, "must be the name of a strip: [a-z0-9][a-z0-9-]{0,63}")
    }
    return text
  }

  /// The revision, which pins the response.
  func revision() throws(Problem) -> Int64? {
    try integer("revision", in: 0...Int64(1) << 53)
  }

  /// The number of entries in a page of a list.
  func pageLimit() throws(Problem) -> Int {
    Int(try integer("limit", in: 1...Int64(Limits.page)) ?? 100)
  }

  /// A length in px: a number in JSON's grammar, rounded to 1/64 px.
  func length(
    _ name: ParameterName, in bounds: ClosedRange<Length>
  ) throws(Problem) -> Length? {
    guard let value = value(name) else { return nil }
    guard let number = JSONNumber(value)?.value else {
      throw .parameter(name, "must be a number, as JSON writes it")
    }
    guard let length = Length(px: number), bounds.contains(length),
      number >= bounds.lowerBound.px, number <= bounds.upperBound.px
    else {
      throw .parameter(
        name, "must be from \(bounds.lowerBound) to \(bounds.upperBound) px")
    }
    return length
  }

  /// An integer in JSON's grammar. `3`, `-3`, `3.0` and `3e0` are integers.
  func integer(_ name: ParameterName, in bounds: ClosedRange<Int64>) throws(Problem) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let integer = try Self.number(value, name).integer, bounds.contains(integer) else {
      throw .parameter(
        name, "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return integer
  }

  /// The index of an item. A number beyond 64 bits is clamped to 64 bits, because no strip has such
  /// an index.
  func index(_ name: ParameterName) throws(Problem) -> Int? {
    guard let value = value(name) else { return nil }
    let number = try Self.number(value, name)
    if let index = number.integer { return Int(index) }
    guard number.value.magnitude >= 0x1p63 else { throw .parameter(name, "must be a whole number") }
    return number.value < 0 ? .min : .max
  }

  /// A range of indices, written `first..end`.
  func range(_ name: ParameterName) throws(Problem) -> Range<Int>? {
    guard let value = value(name) else { return nil }
    let form = "must be two whole numbers, first..end, the second no smaller"
    guard let dots = value.firstRange(of: "..".utf8) else { throw .parameter(name, form) }
    guard let first = try Self.number(value[..<dots.lowerBound], name).integer,
      let end = try Self.number(value[dots.upperBound...], name).integer,
      first <= end, !end.subtractingReportingOverflow(first).overflow
    else { throw .parameter(name, form) }
    return Int(first)..<Int(end)
  }

  private func value(_ name: ParameterName) -> Bytes? {
    for index in marks.indices where query.isNamed(name, at: index, marks[index]) {
      let value = query.value(at: index)
      return value.isEmpty ? nil : value
    }
    return nil
  }

  private static func number(_ value: Bytes, _ name: ParameterName) throws(Problem) -> JSONNumber {
    guard let number = JSONNumber(value) else {
      throw .parameter(name, "must be a whole number, as JSON writes it")
    }
    return number
  }
}

extension Problem {
  /// A 400 for a parameter. `detail` continues the sentence that begins with its name.
  static func parameter(_ name: String, _ detail: String) -> Problem {
    badParameter(name, "\(name) \(detail)")
  }

  /// A 400 for a parameter. `detail` continues the sentence that begins with its name.
  static func parameter(_ name: ParameterName, _ detail: String) -> Problem {
    parameter(name.text.description, detail)
  }
}
