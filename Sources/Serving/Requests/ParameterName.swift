import HTTP

/// A parameter's name.
///
///     let width: ParameterName = "width"
struct ParameterName: ExpressibleByStringLiteral, Sendable {
  let text: StaticString
  let mark: NamePrefix

  @inline(__always)
  init(stringLiteral text: StaticString) {
    self.text = text
    mark = NamePrefix(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

/// The names of the parameters that a route accepts.
struct KnownNames: Sendable, ExpressibleByArrayLiteral {
  let names: [ParameterName]

  init(arrayLiteral names: ParameterName...) { self.names = names }

  private init(names: [ParameterName]) { self.names = names }

  /// The parameters of a view, in the order of `ViewQuery.Parameter`.
  static let view: KnownNames = ["list", "where", "q", "sort"]

  static func + (left: KnownNames, right: KnownNames) -> KnownNames {
    KnownNames(names: left.names + right.names)
  }
}

/// The length and the first eight bytes of a name, for fast comparisons. They are enough for names
/// up to eight bytes.
struct NamePrefix: Equatable, Sendable {
  private let count: Int
  private let bytes: UInt64

  /// Whether equal marks mean equal names.
  @inline(__always)
  var isComplete: Bool { count <= 8 }

  /// Whether the name begins with the name that has the mark `prefix`, of at most eight bytes.
  func begins(with prefix: NamePrefix) -> Bool {
    count >= prefix.count && bytes &>> UInt64(8 * (min(8, count) - prefix.count)) == prefix.bytes
  }

  @inline(__always)
  init(_ name: UnsafeBufferPointer<UInt8>) {
    var bytes: UInt64 = 0
    for index in 0..<min(8, name.count) { bytes = bytes &<< 8 | UInt64(name[index]) }
    count = name.count
    self.bytes = bytes
  }
}

extension Query {
  var namePrefixes: [NamePrefix] {
    var marks: [NamePrefix] = []
    marks.reserveCapacity(count)
    forEachName { marks.append(NamePrefix($0)) }
    return marks
  }

  /// Whether the name at `index`, which has this mark, is `name`.
  @inline(__always)
  func isNamed(_ name: ParameterName, at index: Int, _ mark: NamePrefix) -> Bool {
    mark == name.mark && (mark.isComplete || self[index].name.equals(name.text))
  }
}
