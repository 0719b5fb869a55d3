extension Length: CustomStringConvertible {
  /// The length in px as an exact decimal, without exponent or trailing zeros.
  ///
  ///     Length(units: -224).description  // "-3.5"
  public var description: String {
    let magnitude = units.magnitude
    let whole = String(magnitude / 64)
    // A sixty-fourth is 0.015625: six digits say any fraction exactly.
    let millionths = magnitude % 64 * 15_625
    let sign = units < 0 ? "-" : ""
    guard millionths > 0 else { return sign + whole }
    let digits = String(millionths)
    var fraction = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
    return sign + whole + "." + fraction
  }
}
