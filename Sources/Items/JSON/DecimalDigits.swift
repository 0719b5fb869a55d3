/// Writes the decimal digits of numbers into memory, four at a time.
///
///     let end = DecimalDigits.write(1795, to: start)  // 1795, and end is start + 4
///
/// This is public because Swift 6.3 does not inline `package` functions into other modules.
public enum DecimalDigits {
  /// Writes the digits of `value` at `start`, which has room for 20 bytes; returns their end.
  ///
  /// - Complexity: about ten operations for each four digits, without a call for numbers below 10^4.
  @inlinable
  @inline(__always)
  public static func write(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    value < 10_000 ? first(value, to: start) : many(value, to: start)
  }

  @inlinable
  @inline(never)
  static func many(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    last(value % 10_000, to: write(value / 10_000, to: start))
  }

  /// Writes a number below 10^4 without leading zeros.
  @inlinable
  @inline(__always)
  static func first(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let digits = digits(of: value)
    // The first digits are in the lowest bytes. The bit keeps the last digit, even if it is 0.
    let zeros = (digits | 1 &<< 24).trailingZeroBitCount & ~7
    let text = (digits | 0x3030_3030) &>> UInt32(truncatingIfNeeded: zeros)
    UnsafeMutableRawPointer(start).storeBytes(of: text.littleEndian, as: UInt32.self)
    return start + (4 &- zeros &>> 3)
  }

  /// Writes a number below 10^4 as four digits.
  @inlinable
  @inline(__always)
  static func last(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let text = digits(of: value) | 0x3030_3030
    UnsafeMutableRawPointer(start).storeBytes(of: text.littleEndian, as: UInt32.self)
    return start + 4
  }

  /// The four digits of a number below 10^4, one a byte, the first in the lowest byte.
  ///
  /// One multiplication splits it into numbers of two digits, another splits these into digits. The
  /// quotients by 100 and 10 are products with 10486 / 2^20 and 103 / 2^10, which are exact below
  /// 10^4 and 10^2.
  @inlinable
  @inline(__always)
  static func digits(of value: UInt64) -> UInt32 {
    let value = UInt32(truncatingIfNeeded: value)
    let hundreds = (value &* 10_486) &>> 20
    let twos = hundreds | (value &- 100 &* hundreds) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F
    return tens | (twos &- 10 &* tens) &<< 8
  }
}
