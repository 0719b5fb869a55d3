/// A stretch of a request's bytes, in the memory of the head it came in.
package typealias Bytes = ArraySlice<UInt8>

extension Bytes {
  /// Whether these are exactly the bytes of `text`.
  ///
  /// Most names that are compared differ in length, and that is seen without a call.
  @inlinable
  package func spells(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && spellsAsLong(text)
  }

  @usableFromInline
  func spellsAsLong(_ text: StaticString) -> Bool {
    withUnsafeBytes { own in
      own.elementsEqual(UnsafeRawBufferPointer(start: text.utf8Start, count: own.count))
    }
  }

  /// Whether these are the bytes of `text` but for the case of ASCII letters. `text` is lower case.
  package func spellsIgnoringCase(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && elementsEqual(
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      ) { $0.lowercased == $1 }
  }

  /// These without the spaces and tabs at both ends.
  var trimmed: Bytes {
    var trimmed = self
    while let first = trimmed.first, first.isBlank { trimmed.removeFirst() }
    while let last = trimmed.last, last.isBlank { trimmed.removeLast() }
    return trimmed
  }

  /// These as text, with what is not UTF-8 replaced.
  package var text: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
  /// The byte with an ASCII capital made small.
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// A space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  var isDigit: Bool { self &- 0x30 < 10 }

  /// The value of a hexadecimal digit, or nil.
  var hexadecimal: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }

  var isHexDigit: Bool { hexadecimal != nil }
}
