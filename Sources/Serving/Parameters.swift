import Catalogue
import HTTP
import Windowing

/// The parameters of one request, read one after another by name.
///
/// A parameter that is present but empty counts as absent. Each reading function names its
/// parameter in the 400 that it throws.
///
/// - Complexity: a comparison of words with each name given, and no `String` but where one is
///   returned.
struct Parameters {
  private let query: Query
  /// The names of its pairs.
  private let marks: [NameMark]

  /// Takes the parameters of `query`, which must all be among `known`, each given once.
  init(_ query: Query, known: KnownNames) throws(Problem) {
    var given: UInt64 = 0
    var marks: [NameMark] = []
    marks.reserveCapacity(query.count)
    for place in query.indices {
      let mark = query.withName(at: place) { NameMark($0) }
      guard let number = known.marks.firstIndex(of: mark) else {
        throw .parameter(query[place].name.text, "is not a parameter of this address")
      }
      guard given >> UInt64(number) & 1 == 0 else {
        throw .parameter(query[place].name.text, "is given twice")
      }
      given |= 1 << UInt64(number)
      marks.append(mark)
    }
    self.query = query
    self.marks = marks
  }

  /// Takes the parameters of `request`, which must all be among `known`, unless others are
  /// ignored.
  init(
    _ request: Request, known: KnownNames, ignoresOthers: Bool = false
  ) throws(Problem) {
    var query = try Query(request)
    if ignoresOthers {
      let places = query.indices.filter { place in
        known.marks.contains(query.withName(at: place) { NameMark($0) })
      }
      query = Query(places.map { query[$0] })
    }
    try self.init(query, known: known)
  }

  /// The parameter as it is, or nil when it is absent or empty.
  func text(_ name: ParameterName) -> String? { value(name)?.text }

  /// Refuses two parameters that exclude each other, blaming the later one.
  func exclude(_ one: ParameterName, _ other: ParameterName) throws(Problem) {
    guard value(one) != nil, value(other) != nil else { return }
    let given = query.filter { $0.name.equals(one.text) || $0.name.equals(other.text) }
    throw .parameter(given[1].name.text, "cannot be given together with \(given[0].name.text)")
  }

  /// One of a few words.
  func choice<Value>(
    _ name: ParameterName, _ choices: @autoclosure () -> KeyValuePairs<StaticString, Value>
  ) throws(Problem) -> Value? {
    guard let word = value(name) else { return nil }
    let choices = choices()
    if let choice = choices.first(where: { word.equals($0.key) }) { return choice.value }
    let words = choices.map(\.key.description).joined(separator: ", ")
    throw .parameter(name, "must be one of \(words)")
  }

  /// The name of a strip.
  func stripName(_ name: ParameterName) throws(Problem) -> String? {
    guard let text = text(name) else { return nil }
    guard StripName.isValid(text) else {
      throw .parameter(name, "must be the name of a strip: [a-z0-9][a-z0-9-]{0,63}")
    }
    return text
  }

  /// A revision, which pins the answer.
  func revision() throws(Problem) -> Int64? {
    try integer("revision", in: 0...Int64(1) << 53)
  }

  /// How many entries of a list a page has.
  func pageLimit() throws(Problem) -> Int {
    Int(try integer("limit", in: 1...Int64(Limits.page)) ?? 100)
  }

  /// A length in px, a number by JSON's grammar, taken to the nearest 1/64 px.
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

  /// A whole number by JSON's grammar: `3`, `-3`, `3.0` and `3e0` are one.
  func integer(_ name: ParameterName, in bounds: ClosedRange<Int64>) throws(Problem) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let integer = try Self.number(value, name).integer, bounds.contains(integer) else {
      throw .parameter(
        name, "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return integer
  }

  /// An item's index. One beyond 64 bits is the farthest that there is: no strip has it.
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
    for place in marks.indices where marks[place] == name.mark {
      let value = query.value(at: place)
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
  /// A 400 that blames a parameter: `detail` goes on from the parameter's name.
  static func parameter(_ name: String, _ detail: String) -> Problem {
    badParameter(name, "\(name) \(detail)")
  }

  /// The same, of a parameter that has a name here.
  static func parameter(_ name: ParameterName, _ detail: String) -> Problem {
    parameter(name.text.description, detail)
  }
}
