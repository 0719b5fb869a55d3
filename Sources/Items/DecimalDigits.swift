/// The decimal digits of numbers, written into memory eight at a time.
///
///     let end = DecimalDigits.write(1795, to: start)  // 1795, and end is start + 4
package enum DecimalDigits {
  /// Writes the digits of `value` at `start`, where there is room for 20 bytes, and says where they end.
  ///
  /// - Complexity: some twenty steps for each eight digits, whatever they are; less for one or two.
  @inlinable
  package static func write(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    if value < 10 {
      start.pointee = 0x30 &+ UInt8(truncatingIfNeeded: value)
      return start + 1
    }
    if value < 100_000_000 { return first(value, to: start) }
    let (upper, lower) = (value / 100_000_000, value % 100_000_000)
    return eight(lower, to: upper < 100_000_000 ? first(upper, to: start) : write(upper, to: start))
  }

  /// Writes the digits of a number below 10^8, where there is room for eight.
  @inlinable
  @inline(__always)
  static func first(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let digits = digits(of: value)
    // The first of them lie lowest. What is written behind the last is written over later.
    let zeros = min(digits.trailingZeroBitCount, 56) & ~7
    store((digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros), to: start)
    return start + (8 &- zeros &>> 3)
  }

  /// Writes eight digits of a number below 10^8, zeros in front among them.
  @inlinable
  @inline(__always)
  static func eight(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    store(digits(of: value) | 0x3030_3030_3030_3030, to: start)
    return start + 8
  }

  /// The eight digits of a number below 10^8, one in each byte, the first in the lowest.
  ///
  /// A number of eight digits is taken apart into two of four, these into four of two, and these into
  /// digits, all of a kind by one multiplication: quotients by 100 and 10 are found by multiplying
  /// with 10486 / 2^20 and 103 / 2^10, which is exact below 10^4 and 10^2.
  @inlinable
  @inline(__always)
  static func digits(of value: UInt64) -> UInt64 {
    let fours = value / 10_000 | (value % 10_000) &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- 100 &* hundreds) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- 10 &* tens) &<< 8
  }

  /// Writes a comma and the three digits of a number below 1000.
  @inlinable
  @inline(__always)
  package static func group(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    // Of the eight digits the last three, behind what was a zero.
    let digits = digits(of: value) &>> 32 | 0x3030_3000 | UInt64(UInt8(ascii: ","))
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
