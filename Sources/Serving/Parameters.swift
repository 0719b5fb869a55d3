import HTTP
import Items
import Windowing

/// The parameters of one request, read one after another by name.
///
/// A parameter that is present but empty counts as absent. Each reading function names its
/// parameter in the 400 that it throws.
///
/// - Complexity: a comparison of words with each name given, and no `String` but where one is
///   returned.
struct Parameters {
  private let pairs: [Query.Pair]
  /// The names of the pairs.
  private let marks: [NameMark]

  /// Takes `pairs`, whose names must all be among `known`, each given once.
  init(_ pairs: [Query.Pair], known: KnownNames) throws(Problem) {
    var given: UInt64 = 0
    var marks: [NameMark] = []
    marks.reserveCapacity(pairs.count)
    for place in pairs.indices {
      let mark = NameMark(pairs[place].name)
      guard let number = known.marks.firstIndex(of: mark) else {
        throw .parameter(pairs[place].name.text, "is not a parameter of this address")
      }
      guard given >> UInt64(number) & 1 == 0 else {
        throw .parameter(pairs[place].name.text, "is given twice")
      }
      given |= 1 << UInt64(number)
      marks.append(mark)
    }
    self.pairs = pairs
    self.marks = marks
  }

  /// Takes the parameters of `request`, which must all be among `known`, unless others are
  /// ignored.
  init(
    _ request: Request, known: KnownNames, ignoresOthers: Bool = false
  ) throws(Problem) {
    var pairs = try Query(request).pairs
    if ignoresOthers { pairs.removeAll { !known.marks.contains(NameMark($0.name)) } }
    try self.init(pairs, known: known)
  }

  /// The parameter as it is, or nil when it is absent or empty.
  func text(_ name: StaticString) -> String? { value(name)?.text }

  /// Refuses two parameters that exclude each other, blaming the later one.
  func exclude(_ one: StaticString, _ other: StaticString) throws(Problem) {
    guard value(one) != nil, value(other) != nil else { return }
    let given = pairs.filter { $0.name.spells(one) || $0.name.spells(other) }
    throw .parameter(given[1].name.text, "cannot be given together with \(given[0].name.text)")
  }

  /// One of a few words.
  func choice<Value>(
    _ name: StaticString, _ choices: @autoclosure () -> KeyValuePairs<StaticString, Value>
  ) throws(Problem) -> Value? {
    guard let word = value(name) else { return nil }
    let choices = choices()
    if let choice = choices.first(where: { word.spells($0.key) }) { return choice.value }
    let words = choices.map(\.key.description).joined(separator: ", ")
    throw .parameter(name, "must be one of \(words)")
  }

  /// The name of a strip.
  func stripName(_ name: StaticString) throws(Problem) -> String? {
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
    _ name: StaticString, in bounds: ClosedRange<Length>
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
  func integer(_ name: StaticString, in bounds: ClosedRange<Int64>) throws(Problem) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let integer = try Self.number(value, name).integer, bounds.contains(integer) else {
      throw .parameter(
        name, "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return integer
  }

  /// An item's index. One beyond 64 bits is the farthest that there is: no strip has it.
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
    guard let dots = value.firstRange(of: "..".utf8) else { throw .parameter(name, form) }
    guard let first = try Self.number(value[..<dots.lowerBound], name).integer,
      let end = try Self.number(value[dots.upperBound...], name).integer,
      first <= end, !end.subtractingReportingOverflow(first).overflow
    else { throw .parameter(name, form) }
    return Int(first)..<Int(end)
  }

  private func value(_ name: StaticString) -> Bytes? {
    let mark = NameMark(name)
    // By index, so that no pair is copied to be looked at.
    for place in marks.indices where marks[place] == mark {
      let value = pairs[place].value
      return value.isEmpty ? nil : value
    }
    return nil
  }

  private static func number(_ value: Bytes, _ name: StaticString) throws(Problem) -> JSONNumber {
    guard let number = JSONNumber(value) else {
      throw .parameter(name, "must be a whole number, as JSON writes it")
    }
    return number
  }
}

/// The names that an address knows: at most 64, of at most eight bytes each.
struct KnownNames: Sendable, ExpressibleByArrayLiteral {
  fileprivate let marks: [NameMark]

  init(arrayLiteral names: StaticString...) {
    precondition(names.count <= 64 && names.allSatisfy { $0.utf8CodeUnitCount <= 8 })
    marks = names.map { NameMark($0) }
  }
}

/// A name of at most eight bytes in two words; all longer ones are one, which is nobody's.
private struct NameMark: Equatable {
  private let count: Int
  private let bytes: UInt64

  init(_ name: Bytes) {
    self = name.withUnsafeBufferPointer { NameMark($0) }
  }

  @inline(__always)
  init(_ name: StaticString) {
    self.init(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  @inline(__always)
  private init(_ name: UnsafeBufferPointer<UInt8>) {
    var bytes: UInt64 = 0
    if name.count <= 8 {
      for byte in name { bytes = bytes &<< 8 | UInt64(byte) }
    }
    count = min(name.count, 9)
    self.bytes = bytes
  }
}

extension Problem {
  /// A 400 that blames a parameter: `detail` goes on from the parameter's name.
  static func parameter(_ name: String, _ detail: String) -> Problem {
    badParameter(name, "\(name) \(detail)")
  }

  /// The same, of a parameter that has a name here.
  static func parameter(_ name: StaticString, _ detail: String) -> Problem {
    parameter(name.description, detail)
  }
}
