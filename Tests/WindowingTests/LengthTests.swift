import RandomTesting
import Testing
import Windowing

struct LengthTests {
  @Test func `decimals round to the nearest unit, halves upward`() {
    #expect(Length(px: 0.0078125)?.units == 1)
    #expect(Length(px: 0.0078124)?.units == 0)
    #expect(Length(px: 0.007812499999999999)?.units == 1, "as in double arithmetic")
    #expect(Length(px: -0.0078125)?.units == 0)
    #expect(Length(px: 180.5) == Length(units: 11_552))
    #expect(Aspect(ratio: 0.5 / 65_536)?.units == 1)
    #expect(Aspect(ratio: 1.0635)?.units == 69_698)
  }

  @Test func `numbers that are not finite or out of range give nil`() {
    for px in [Double.nan, .infinity, -.infinity, 0x1p48, -0x1p48] {
      #expect(Length(px: px) == nil)
    }
    #expect(Length(px: 0x1p47) == .maximum)
    #expect(Length(px: -0x1p47) == -.maximum)
    for ratio in [-0.001, 1_000.001, .nan, .infinity] { #expect(Aspect(ratio: ratio) == nil) }
    #expect(Aspect(ratio: 1_000) == .maximum)
  }

  @Test func `a description is an exact decimal without trailing zeros`() {
    let expected: [(Int64, String)] = [
      (0, "0"), (1, "0.015625"), (-1, "-0.015625"), (72_960, "1140"), (-224, "-3.5"),
      (65, "1.015625"), (96, "1.5"), (1 << 53, "140737488355328"), (-16, "-0.25"),
    ]
    for (units, text) in expected { #expect(Length(units: units).description == text) }
  }

  @Test func `size classes are k x 2^m px with k from 8 to 15`() {
    let rungs = (0..<16).flatMap { m in (8...15).map { Length.px($0 << m) } }
    var random = SeededRandom(seed: 5)
    for _ in 0..<2_000 {
      let length = Length(units: Int64(random.pick(1...262_144 * 64)))
      #expect(SizeClasses.roundedUp(length) == rungs.first { $0 >= length })
      if length >= .px(8) {
        #expect(SizeClasses.roundedDown(length) == rungs.last { $0 <= length })
      }
    }
    for rung in rungs {
      #expect(SizeClasses.roundedUp(rung) == rung && SizeClasses.roundedDown(rung) == rung)
    }
    #expect(SizeClasses.roundedUp(.px(800)) == .px(832))
  }
}
