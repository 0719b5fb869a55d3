/// A parameter's name as the program spells it.
///
///     let width: ParameterName = "width"
struct ParameterName: ExpressibleByStringLiteral, Sendable {
  let text: StaticString
  let mark: NameMark

  /// - Precondition: At most eight bytes.
  @inline(__always)
  init(stringLiteral text: StaticString) {
    self.text = text
    mark = NameMark(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

/// The names that an address knows: at most 64.
struct KnownNames: Sendable, ExpressibleByArrayLiteral {
  let marks: [NameMark]

  init(arrayLiteral names: ParameterName...) {
    precondition(names.count <= 64 && names.allSatisfy { $0.text.utf8CodeUnitCount <= 8 })
    marks = names.map(\.mark)
  }
}

/// A name of at most eight bytes in two words; all longer ones are one, which is nobody's.
struct NameMark: Equatable, Sendable {
  private let count: Int
  private let bytes: UInt64

  @inline(__always)
  init(_ name: UnsafeBufferPointer<UInt8>) {
    var bytes: UInt64 = 0
    if name.count <= 8 {
      for byte in name { bytes = bytes &<< 8 | UInt64(byte) }
    }
    count = min(name.count, 9)
    self.bytes = bytes
  }
}
