extension Bytes {
  /// These with each `%XX` replaced by its byte, and `+` by a space where `plusIsSpace`; nil when a
  /// `%` is not followed by two hexadecimal digits, or when the outcome is not UTF-8 or holds NUL.
  ///
  /// - Complexity: no copy is made of what needs no decoding.
  package func percentDecoded(plusIsSpace: Bool = false) -> Bytes? {
    let percent = UInt8(ascii: "%")
    let plus = UInt8(ascii: "+")
    guard contains(where: { $0 == percent || plusIsSpace && $0 == plus }) else {
      return isText ? self : nil
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(count)
    var rest = self
    while let byte = rest.popFirst() {
      if byte == percent {
        guard let high = rest.popFirst()?.hexadecimal, let low = rest.popFirst()?.hexadecimal
        else { return nil }
        decoded.append(high << 4 | low)
      } else {
        decoded.append(plusIsSpace && byte == plus ? 0x20 : byte)
      }
    }
    let slice = decoded[...]
    return slice.isText ? slice : nil
  }

  /// Whether these are UTF-8 without NUL.
  private var isText: Bool {
    if allSatisfy({ $0 != 0 && $0 < 0x80 }) { return true }
    return !contains(0) && String(validating: self, as: UTF8.self) != nil
  }
}
