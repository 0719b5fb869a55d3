extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8 (RFC 3629, section 4). `String(validating:as:)` also copies them.
  ///
  /// - Complexity: O(count), eight bytes at a time within ASCII.
  package var isUTF8: Bool {
    if isASCII { return true }
    var index = 0
    while true {
      while count &- index >= 8 {
        let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let marks = word & 0x8080_8080_8080_8080
        index &+= marks.trailingZeroBitCount &>> 3
        if marks != 0 { break }
      }
      while index < count, self[index] < 0x80 { index &+= 1 }
      guard index < count else { return true }
      let first = self[index]
      // How many bytes follow, and the range of the first of them.
      let (length, second): (Int, ClosedRange<UInt8>) =
        switch first {
        case 0xC2...0xDF: (1, 0x80...0xBF)
        case 0xE0: (2, 0xA0...0xBF)
        case 0xED: (2, 0x80...0x9F)
        case 0xE1...0xEF: (2, 0x80...0xBF)
        case 0xF0: (3, 0x90...0xBF)
        case 0xF1...0xF3: (3, 0x80...0xBF)
        case 0xF4: (3, 0x80...0x8F)
        default: (.max, 0...0)
        }
      guard count &- index > length, second.contains(self[index &+ 1]) else { return false }
      for offset in 2..<Swift.max(length &+ 1, 2) where self[index &+ offset] & 0xC0 != 0x80 {
        return false
      }
      index &+= length &+ 1
    }
  }

  /// The last bytes are tested together with bytes before them: ids are short.
  @inline(__always)
  private var isASCII: Bool {
    guard count >= 4 else { return allSatisfy { $0 < 0x80 } }
    guard count >= 8 else {
      let ends =
        loadUnaligned(as: UInt32.self) | loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      return ends & 0x8080_8080 == 0
    }
    var offset = 0
    while count &- offset > 8 {
      guard loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      else { return false }
      offset &+= 8
    }
    return loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
  }
}
