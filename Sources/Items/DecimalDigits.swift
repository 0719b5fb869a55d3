/// The decimal digits of numbers, written into memory two at a time.
///
///     let end = DecimalDigits.write(1795, to: start)  // 1795, and end is start + 4
package enum DecimalDigits {
  /// Writes the digits of `value` at `start`, where there is room for 20 bytes, and says where they end.
  ///
  /// - Complexity: a division for each two digits.
  @inlinable
  package static func write(
    _ value: UInt64, to start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let end = start + count(of: value)
    var place = end
    var rest = value
    while rest >= 100 {
      let (quotient, pair) = (rest / 100, rest % 100)
      place -= 2
      put(pair, at: place)
      rest = quotient
    }
    if rest >= 10 {
      put(rest, at: place - 2)
    } else {
      place[-1] = 0x30 &+ UInt8(truncatingIfNeeded: rest)
    }
    return end
  }

  /// How many digits a number has.
  @inlinable
  static func count(of value: UInt64) -> Int {
    if value < 10_000 {
      return value < 100 ? (value < 10 ? 1 : 2) : (value < 1000 ? 3 : 4)
    }
    if value < 100_000_000 {
      return value < 1_000_000 ? (value < 100_000 ? 5 : 6) : (value < 10_000_000 ? 7 : 8)
    }
    return 8 + count(of: value / 100_000_000)
  }

  /// Writes the two digits of a number below 100.
  @inlinable
  package static func put(_ pair: UInt64, at place: UnsafeMutablePointer<UInt8>) {
    // The memory of a static string lives as long as the program, and this one has 200 bytes.
    let digits = pairs.utf8Start + Int(truncatingIfNeeded: pair &* 2)
    place[0] = digits[0]
    place[1] = digits[1]
  }

  /// 00, 01, 02 ... 99.
  @inlinable
  static var pairs: StaticString {
    """
    0001020304050607080910111213141516171819\
    2021222324252627282930313233343536373839\
    4041424344454647484950515253545556575859\
    6061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
  }
}
