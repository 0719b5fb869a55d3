import Windowing

/// SplitMix64: the same strip and the same positions in every run.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64 = 11

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}

/// Items of varied aspect and width, of four kinds: about 80 px wide at a height of 100 px.
func variedItem(_ random: inout SeededRandom) -> StripItem {
  let bits = random.next()
  let aspect = Aspect(units: UInt32(13_107 + bits % 52_429))
  let width = Length(units: Int64(640 + (bits >> 32) % 3_200))
  return StripItem(
    size: ItemSize(aspect: aspect, width: width), kind: Kind(number: Int(bits >> 60 & 3)))
}

let kindNames = ["album", "artist", "heading", "track"]

func variedStrip(_ count: Int) -> Strip {
  var random = SeededRandom()
  return Strip(kinds: kindNames, count: count) { _ in variedItem(&random) }
}

func laidOut(_ strip: Strip, height: Int = 100) -> Layout {
  Layout(strip, height: .px(height), gap: .px(4), inset: .px(16), wraps: false)
}

/// Offsets spread evenly at random over a layout.
func offsets(_ count: Int, in layout: Layout) -> [Length] {
  var random = SeededRandom(state: 7)
  let most = max(1, layout.extent.units - 65_536)
  return (0..<count).map { _ in Length(units: Int64.random(in: 0..<most, using: &random)) }
}

/// The width of a viewport of about twelve items.
let viewport = Length.px(1_000)
