/// The grammar of JSON's numbers (RFC 8259 section 6).
enum JSONNumber {
  /// Whether all of `text` is one number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
  static func matches(_ text: some StringProtocol) -> Bool {
    var rest = Substring(text).utf8
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let whole = takeDigits(from: &rest)
    guard whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0") else {
      return false
    }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard !takeDigits(from: &rest).isEmpty else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard !takeDigits(from: &rest).isEmpty else { return false }
    }
    return rest.isEmpty
  }

  private static func takeDigits(from rest: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest[digits.endIndex...]
    return digits
  }
}
