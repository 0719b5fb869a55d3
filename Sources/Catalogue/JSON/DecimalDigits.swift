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
    return eight(value % 100_000_000, to: most(value / 100_000_000, to: start))
  }

  /// Writes the digits before the last eight.
  @inlinable
  @inline(never)
  static func most(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    write(value, to: start)
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

  /// Writes a comma and the three digits of a number below 1000.
  @inlinable
  @inline(__always)
  public static func group(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    // The comma replaces the first of four digits, a zero.
    let digits = digits(ofFours: value) | 0x3030_3000 | UInt64(UInt8(ascii: ","))
    UnsafeMutableRawPointer(start).storeBytes(
      of: UInt32(truncatingIfNeeded: digits).littleEndian, as: UInt32.self)
    return start + 4
  }

  @inlinable
  @inline(__always)
  static func store(_ text: UInt64, to start: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(start).storeBytes(of: text.littleEndian, as: UInt64.self)
  }
}
