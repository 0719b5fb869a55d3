import Catalogue
import Testing

struct LongestRiseTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func isAsLongAsAnyAndRises(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 0...30, using: &random)
    let elements = Array(0..<Int32(count)).shuffled(using: &random).map {
      Int.random(in: 0..<5, using: &random) == 0 ? -1 : $0
    }
    let places = LongestIncreasingSubsequence.places(of: elements).map(Int.init)
    #expect(places == places.sorted())
    let rise = places.map { elements[$0] }
    #expect(rise.allSatisfy { $0 >= 0 } && zip(rise, rise.dropFirst()).allSatisfy { $0 < $1 })
    // The longest that ends at each element, found the plain way.
    var longest = [Int](repeating: 0, count: count)
    for place in elements.indices where elements[place] >= 0 {
      let before = (0..<place).filter { elements[$0] >= 0 && elements[$0] < elements[place] }
      longest[place] = 1 + (before.map { longest[$0] }.max() ?? 0)
    }
    #expect(places.count == longest.max() ?? 0, "seed \(seed): \(elements)")
  }
}
