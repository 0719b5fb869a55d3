/// SplitMix64 (Steele, Lea and Flood, 2014): equal numbers for equal seeds on every platform.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// True with a probability of 1 / `n`.
  mutating func once(in n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }

  mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
