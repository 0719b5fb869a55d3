/// Writes the decimal digits of numbers into memory, eight at a time.
///
///     let end = DecimalDigits.write(1795, to: start)  // 1795, and end is start + 4
///
/// This is public because Swift 6.3 does not inline `package` functions into other modules.
public enum DecimalDigits {
  /// Writes the digits of `value` at `start`, which has room for 20 bytes; returns their end.
  ///
  /// - Complexity: about twenty operations for each eight digits; half as many, without a call, for
  ///   numbers below 10^4, which are the most frequent in a window.
  @inlinable
  @inline(__always)
  public static func write(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    value < 10_000 ? firstFour(value, to: start) : many(value, to: start)
  }

  @inlinable
  @inline(never)
  static func many(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    if value < 100_000_000 { return first(value, to: start) }
    let most = value / 100_000_000
    guard most < 10_000 else { return more(value, to: start) }
    return eight(value % 100_000_000, to: firstFour(most, to: start))
  }

  /// Writes the digits of a number of at least 10^12.
  @inlinable
  @inline(never)
  static func more(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    eight(value % 100_000_000, to: many(value / 100_000_000, to: start))
  }

  /// Writes the digits of a number below 10^8 to memory with room for eight.
  @inlinable
  @inline(__always)
  static func first(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let digits = digits(of: value)
    // The first digits are in the lowest bytes. The bytes after the last digit are overwritten later.
    let zeros = min(digits.trailingZeroBitCount, 56) & ~7
    store((digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros), to: start)
    return start + (8 &- zeros &>> 3)
  }

  /// Writes the digits of a number below 10^4 to memory with room for eight.
  @inlinable
  @inline(__always)
  static func firstFour(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let digits = digits(ofFours: value)
    // The bit keeps the last digit, even if it is 0.
    let zeros = (digits | 1 &<< 24).trailingZeroBitCount & ~7
    store((digits | 0x3030_3030) &>> UInt64(truncatingIfNeeded: zeros), to: start)
    return start + (4 &- zeros &>> 3)
  }

  /// Writes a number below 10^8 as eight digits, with leading zeros.
  @inlinable
  @inline(__always)
  static func eight(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    store(digits(of: value) | 0x3030_3030_3030_3030, to: start)
    return start + 8
  }

  /// The eight digits of a number below 10^8, one a byte, the first in the lowest byte.
  @inlinable
  @inline(__always)
  static func digits(of value: UInt64) -> UInt64 {
    digits(ofFours: value / 10_000 | (value % 10_000) &<< 32)
  }

  /// The digits of two numbers below 10^4, the first in the lower half.
  ///
  /// One multiplication splits both into numbers of two digits, another splits these into digits. The
  /// quotients by 100 and 10 are products with 10486 / 2^20 and 103 / 2^10, which are exact below
  /// 10^4 and 10^2.
  @inlinable
  @inline(__always)
  static func digits(ofFours fours: UInt64) -> UInt64 {
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- 100 &* hundreds) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- 10 &* tens) &<< 8
  }

  @inlinable
  @inline(__always)
  static func store(_ text: UInt64, to start: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(start).storeBytes(of: text.littleEndian, as: UInt64.self)
  }
}

/// Writes the decimal digits of numbers that are close to each other, such as the indices of a window.
///
/// It keeps the digits before the last four, and computes them again only if they change.
///
/// - Complexity: about a third of ``DecimalDigits`` for large numbers.
public struct NearbyDecimals {
  /// The last number without its last four digits.
  @usableFromInline var most: UInt64 = 0
  /// The digits of `most`, and their number.
  @usableFromInline var digits: (UInt64, UInt64) = (0, 0)
  @usableFromInline var count = 0

  @inlinable
  public init() {}

  /// Writes the digits of `value` at `start`, which has room for 20 bytes; returns their end.
  @inlinable
  @inline(__always)
  public mutating func write(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let most = value / 10_000
    if most == 0 { return DecimalDigits.firstFour(value, to: start) }
    if most != self.most { change(to: most) }
    // The bytes after the last digit are overwritten later.
    DecimalDigits.store(digits.0, to: start)
    DecimalDigits.store(digits.1, to: start + 8)
    let last = DecimalDigits.digits(ofFours: value &- most &* 10_000) | 0x3030_3030
    UnsafeMutableRawPointer(start + count).storeBytes(
      of: UInt32(truncatingIfNeeded: last).littleEndian, as: UInt32.self)
    return start + count + 4
  }

  @inlinable
  @inline(never)
  mutating func change(to most: UInt64) {
    self.most = most
    var text = (UInt64(0), UInt64(0), UInt64(0))
    count = withUnsafeMutableBytes(of: &text) { text in
      let start = text.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
      return DecimalDigits.write(most, to: start) - start
    }
    digits = (text.0.littleEndian, text.1.littleEndian)
  }
}
