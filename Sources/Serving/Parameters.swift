internal import HTTP
internal import Items
internal import Windowing

/// The parameters of one request, read one after another by name.
///
/// A parameter that is present but empty counts as absent. Each reading function names its
/// parameter in the 400 that it throws.
struct Parameters {
  private var values: [String: String] = [:]
  private var order: [String] = []

  /// Takes `pairs`, whose names must all be among `known`, each given once.
  init(_ pairs: [(name: String, value: String)], known: Set<String>) throws(Problem) {
    for (name, value) in pairs {
      guard known.contains(name) else {
        throw .parameter(name, "is not a parameter of this address")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw .parameter(name, "is given twice")
      }
      order.append(name)
    }
  }

  /// Takes the parameters of `request`, which must all be among `known`, unless others are
  /// ignored.
  init(
    _ request: Request, known: Set<String>, ignoresOthers: Bool = false
  ) throws(Problem) {
    var pairs = try request.pairs()
    if ignoresOthers { pairs.removeAll { !known.contains($0.name) } }
    try self.init(pairs, known: known)
  }

  /// The parameter as it is, or nil when it is absent or empty.
  func text(_ name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }

  /// Refuses two parameters that exclude each other, blaming the later one.
  func exclude(_ one: String, _ other: String) throws(Problem) {
    guard text(one) != nil, text(other) != nil else { return }
    let given = order.filter { $0 == one || $0 == other }
    throw .parameter(given[1], "cannot be given together with \(given[0])")
  }

  /// One of a few words.
  func choice<Value>(
    _ name: String, _ choices: KeyValuePairs<String, Value>
  ) throws(Problem) -> Value? {
    guard let text = text(name) else { return nil }
    if let choice = choices.first(where: { $0.key == text }) { return choice.value }
    let words = choices.map(\.key).joined(separator: ", ")
    throw .parameter(name, "must be one of \(words)")
  }

  /// The name of a strip.
  func stripName(_ name: String) throws(Problem) -> String? {
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
    _ name: String, in bounds: ClosedRange<Length>
  ) throws(Problem) -> Length? {
    guard let number = try number(name) else { return nil }
    guard let length = Length(px: number), bounds.contains(length),
      number >= bounds.lowerBound.px, number <= bounds.upperBound.px
    else {
      throw .parameter(
        name, "must be from \(bounds.lowerBound) to \(bounds.upperBound) px")
    }
    return length
  }

  /// A whole number.
  func integer(_ name: String, in bounds: ClosedRange<Int64>) throws(Problem) -> Int64? {
    guard let text = text(name) else { return nil }
    guard let integer = try Self.integer(text, name), bounds.contains(integer) else {
      throw .parameter(
        name, "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return integer
  }

  /// An item's index. One beyond 64 bits is the farthest that there is: no strip has it.
  func index(_ name: String) throws(Problem) -> Int? {
    guard let text = text(name) else { return nil }
    if let index = try Self.integer(text, name) { return Int(index) }
    guard let number = Double(text), number.magnitude >= 0x1p63 else {
      throw .parameter(name, "must be a whole number")
    }
    return number < 0 ? .min : .max
  }

  /// A range of indices, written `first..end`.
  func range(_ name: String) throws(Problem) -> Range<Int>? {
    guard let text = text(name) else { return nil }
    let form = "must be two whole numbers, first..end, the second no smaller"
    guard let dots = text.firstRange(of: "..") else { throw .parameter(name, form) }
    guard let first = try Self.integer(text[..<dots.lowerBound], name),
      let end = try Self.integer(text[dots.upperBound...], name),
      first <= end, !end.subtractingReportingOverflow(first).overflow
    else { throw .parameter(name, form) }
    return Int(first)..<Int(end)
  }

  private func number(_ name: String) throws(Problem) -> Double? {
    guard let text = text(name) else { return nil }
    guard JSONNumber.matches(text), let number = Double(text) else {
      throw .parameter(name, "must be a number, as JSON writes it")
    }
    return number
  }

  /// A whole number by JSON's grammar: `3`, `-3`, `3.0` and `3e0` are one; nil for what is none,
  /// or beyond 64 bits.
  private static func integer(
    _ text: some StringProtocol, _ name: String
  ) throws(Problem) -> Int64? {
    guard JSONNumber.matches(text) else {
      throw .parameter(name, "must be a whole number, as JSON writes it")
    }
    return Int64(text) ?? Double(text).flatMap(Int64.init(exactly:))
  }
}

extension Problem {
  /// A 400 that blames a parameter: `detail` goes on from the parameter's name.
  static func parameter(_ name: String, _ detail: String) -> Problem {
    badParameter(name, "\(name) \(detail)")
  }
}

extension Request {
  /// The parameters of the request, decoded, in the order given.
  func pairs() throws(Problem) -> [(name: String, value: String)] {
    try Query(self).pairs.map { ($0.name.text, $0.value.text) }
  }
}
