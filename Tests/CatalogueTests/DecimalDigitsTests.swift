import Items
import Testing
import Views

@Suite struct DecimalDigitsTests {
  private static func text(
    _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  )
    -> String
  {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let end = write(start)
      return String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
    }
  }

  @Test func `Numbers of every length are written as Swift writes them`() {
    var generator = SystemRandomNumberGenerator()
    var numbers: [UInt64] = [0, .max]
    var power: UInt64 = 1
    for _ in 0..<20 {
      numbers += [power - 1, power, power + 1]
      numbers += (0..<50).map { _ in .random(in: power...(power * 9), using: &generator) }
      power = power &* 10
      if power == 10_000_000_000_000_000_000 { break }
    }
    numbers += (0..<10_000).map { UInt64($0) }
    for number in numbers {
      let text = Self.text { DecimalDigits.write(number, to: $0) }
      #expect(text == String(number))
    }
  }
}
