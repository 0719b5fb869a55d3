/// The decimal digits of numbers, written into memory eight at a time.
///
///     let end = DecimalDigits.write(1795, to: start)  // 1795, and end is start + 4
///
/// Public, although nobody outside of the package wants it: of what is the package's alone nothing is
/// inlined in another module, whatever it says (Swift 6.3).
public enum DecimalDigits {
  /// Writes the digits of `value` at `start`, where there is room for 20 bytes, and says where they end.
  ///
  /// - Complexity: some twenty steps for each eight digits, whatever they are. Below 10^4, as most
  ///   numbers of a window are, it is half of them, and no call.
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

  /// Writes what comes before the last eight digits.
  @inlinable
  @inline(never)
  static func most(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    write(value, to: start)
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

  /// Writes the digits of a number below 10^4, where there is room for eight.
  @inlinable
  @inline(__always)
  static func firstFour(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let digits = digits(ofFours: value)
    // The last of them is written, whatever it is.
    let zeros = (digits | 1 &<< 24).trailingZeroBitCount & ~7
    store((digits | 0x3030_3030) &>> UInt64(truncatingIfNeeded: zeros), to: start)
    return start + (4 &- zeros &>> 3)
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
  @inlinable
  @inline(__always)
  static func digits(of value: UInt64) -> UInt64 {
    digits(ofFours: value / 10_000 | (value % 10_000) &<< 32)
  }

  /// The digits of two numbers below 10^4, the first of which lies in the lower half.
  ///
  /// They are taken apart into four of two digits, and these into digits, all of a kind by one
  /// multiplication: quotients by 100 and 10 are found by multiplying with 10486 / 2^20 and
  /// 103 / 2^10, which is exact below 10^4 and 10^2.
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
    // The last three of four digits, behind what was a zero.
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
