package import HTTP
import Items
import Views
import Windowing

/// The query parameters of one request, with checks of their form and range.
///
/// An empty parameter counts as absent. Each function throws a 400 that names its parameter.
package struct Parameters {
  private let query: Query

  /// - Throws: 400 for a parameter that is not `known` or is repeated.
  package init(_ query: Query, known: [StaticString]) throws(Problem) {
    for index in query.indices {
      let given = query[index].name
      guard let name = known.first(where: { given.equals($0) }) else {
        throw .parameter(given.text, "is no parameter of this path")
      }
      guard query.firstIndex(named: name) == index else { throw .parameter(name, "is given twice") }
    }
    self.query = query
  }

  package init(
    _ request: Request, known: [StaticString], ignoresOthers: Bool = false
  ) throws(Problem) {
    var query = try Query(request, ignoring: "v")
    if ignoresOthers {
      query = Query(query.filter { pair in known.contains { pair.name.equals($0) } })
    }
    try self.init(query, known: known)
  }

  package func text(_ name: StaticString) -> String? { value(name)?.text }

  /// The parameters whose names begin with `prefix`, without it, in the order of their names.
  func values(startingWith prefix: StaticString) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    for index in query.indices {
      let (name, value) = query[index]
      let start = name.prefix(prefix.utf8CodeUnitCount)
      guard start.equals(prefix) else { continue }
      found.append((name[start.endIndex...].text, value.text))
    }
    return found.sorted { $0.name < $1.name }
  }

  /// - Throws: 400 that names the later of two parameters that exclude each other.
  func exclude(_ one: StaticString, _ other: StaticString) throws(Problem) {
    guard value(one) != nil, value(other) != nil else { return }
    let given = query.filter { $0.name.equals(one) || $0.name.equals(other) }
    throw .parameter(given[1].name.text, "cannot be given together with \(given[0].name.text)")
  }

  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ name: StaticString
  ) throws(Problem) -> Value? {
    guard let word = value(name)?.text else { return nil }
    if let choice = Value(rawValue: word) { return choice }
    let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw .parameter(name, "must be one of \(words)")
  }

  private enum Boolean: String, CaseIterable { case `true`, `false` }

  func boolean(_ name: StaticString) throws(Problem) -> Bool? {
    let choice: Boolean? = try choice(name)
    return choice.map { $0 == .true }
  }

  func stripName(_ name: StaticString) throws(Problem) -> String? {
    guard let text = text(name) else { return nil }
    guard StripName.isValid(text) else {
      throw .parameter(name, "must be the name of a strip: [a-z0-9][a-z0-9-]{0,63}")
    }
    return text
  }

  func revision() throws(Problem) -> Int64? {
    try integer("revision", in: 0...Int64(1) << 53)
  }

  func pageLimit() throws(Problem) -> Int {
    Int(try integer("limit", in: 1...Int64(Limits.page)) ?? 100)
  }

  /// A number of px in JSON's grammar, rounded to 1/64 px.
  func length(
    _ name: StaticString, in bounds: ClosedRange<Length>
  ) throws(Problem) -> Length? {
    guard let value = value(name) else { return nil }
    guard let number = value.withUnsafeBytes(JSONNumber.init)?.value else {
      throw .parameter(name, "must be a number, as JSON writes it")
    }
    guard let length = Length(px: number), bounds.contains(length),
      number >= bounds.lowerBound.px, number <= bounds.upperBound.px
    else { throw .parameter(name, "must be from \(bounds.lowerBound) to \(bounds.upperBound) px") }
    return length
  }

  /// A quotient of two lengths, in JSON's grammar.
  func ratio(_ name: StaticString, in bounds: ClosedRange<Double>) throws(Problem) -> Double? {
    guard let value = value(name) else { return nil }
    guard let ratio = value.withUnsafeBytes(JSONNumber.init)?.value, bounds ~= ratio else {
      throw .parameter(name, "must be a number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return ratio
  }

  /// An integer in JSON's grammar. `3`, `-3`, `3.0` and `3e0` are integers.
  func integer(_ name: StaticString, in bounds: ClosedRange<Int64>) throws(Problem) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let integer = try Self.number(value, name).integer, bounds.contains(integer) else {
      throw .parameter(
        name, "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return integer
  }

  /// The index of an item. A number beyond 64 bits is clamped to them: no strip has such an index.
  func index(_ name: StaticString) throws(Problem) -> Int? {
    guard let value = value(name) else { return nil }
    let number = try Self.number(value, name)
    if let index = number.integer { return Int(index) }
    guard number.value.magnitude >= 0x1p63 else { throw .parameter(name, "must be a whole number") }
    return number.value < 0 ? .min : .max
  }

  /// A range of indices, written `first..end`.
  func range(_ name: StaticString) throws(Problem) -> Range<Int>? {
    guard let value = value(name) else { return nil }
    let form = "must be two whole numbers, first..end, the second no smaller"
    guard let dots = value.firstRange(of: "..".utf8),
      let first = try Self.number(value[..<dots.lowerBound], name).integer,
      let end = try Self.number(value[dots.upperBound...], name).integer,
      first <= end, !end.subtractingReportingOverflow(first).overflow
    else { throw .parameter(name, form) }
    return Int(first)..<Int(end)
  }

  private func value(_ name: StaticString) -> Bytes? {
    let value = query.firstIndex(named: name).map { query[$0].value }
    return value.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func number(_ value: Bytes, _ name: StaticString) throws(Problem) -> JSONNumber {
    guard let number = value.withUnsafeBytes(JSONNumber.init) else {
      throw .parameter(name, "must be a whole number, as JSON writes it")
    }
    return number
  }
}

// A 400 for a parameter. `detail` continues the sentence that begins with its name.
extension Problem {
  static func parameter(_ name: String, _ detail: String) -> Problem {
    badParameter(name, "\(name) \(detail)")
  }

  static func parameter(_ name: StaticString, _ detail: String) -> Problem {
    parameter(name.description, detail)
  }
}
