import Items
import Testing
import Views

struct JSONNumberTests {
  private func number(_ text: String) -> JSONNumber? {
    Array(text.utf8).withUnsafeBytes(JSONNumber.init)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x10", "1 ", " 1", "1_0", "NaN", "Infinity",
    "--1", "1.2.3", "1,5", "1e5.5", "１",
  ])
  func `what is not a number of JSON is none`(text: String) {
    #expect(number(text) == nil)
  }

  @Test func `a number is the nearest double, however it is spelled`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let digits = Int.random(in: 0...999_999_999_999_999, using: &generator)
      let places = Int.random(in: 0...6, using: &generator)
      let text = String(digits)
      let spelled =
        places == 0 || text.count <= places
        ? text : "\(text.dropLast(places)).\(text.suffix(places))"
      for text in [spelled, "-" + spelled] { #expect(number(text)?.value == Double(text)) }
    }
    for text in ["1e3", "1.5E-2", "123456789012345678901234567890", "0.1", "-0", "1e400"] {
      #expect(number(text)?.value == Double(text))
    }
  }

  @Test(
    arguments: [
      ("3", 3), ("-3", -3), ("3.0", 3), ("3e0", 3), ("-0", 0), ("9223372036854775807", Int64.max),
      ("1.5", nil), ("9223372036854775808", nil), ("1e30", nil),
    ] as [(String, Int64?)])
  func `a whole number is an integer, however it is spelled`(text: String, integer: Int64?) {
    #expect(number(text)?.integer == integer)
  }
}
