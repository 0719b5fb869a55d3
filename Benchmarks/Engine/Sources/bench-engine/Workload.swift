import Windowing

/// A random item of one of four kinds, about 80 px wide at a height of 100 px.
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

func laidOut(_ strip: Strip, height: Int = 100) -> StripLayout {
  StripLayout(strip, height: .px(height), gap: .px(4), inset: .px(16), wraps: false)
}

/// Uniformly distributed random offsets.
func offsets(_ count: Int, in layout: StripLayout) -> [Length] {
  var random = SeededRandom(state: 7)
  let limit = max(1, layout.extent.units - 65_536)
  return (0..<count).map { _ in Length(units: Int64.random(in: 0..<limit, using: &random)) }
}

/// The width of a viewport; it shows about twelve items.
let viewport = Length.px(1_000)

/// The baseline of the benchmark: an array of all starts in 64 bits.
struct FlatStarts {
  private var starts = ContiguousArray<Int64>()

  init(_ layout: StripLayout) {
    starts.reserveCapacity(layout.count)
    let pools = Pools([1, 1, 1, 1])
    for low in stride(from: 0, to: layout.count, by: 4_096) {
      let part = layout.window(of: low..<min(layout.count, low + 4_096), pools: pools)
      for item in part.items { starts.append(item.start.units) }
    }
  }

  /// The items in a span, by two binary searches.
  func items(meeting x: Length, _ width: Length) -> Range<Int> {
    max(0, lowerBound(x.units + 1) - 1)..<lowerBound((x + width).units)
  }

  private func lowerBound(_ position: Int64) -> Int {
    starts.withUnsafeBufferPointer { starts in
      var low = 0
      var high = starts.count
      while low < high {
        let middle = (low &+ high) / 2
        if starts[middle] < position { low = middle &+ 1 } else { high = middle }
      }
      return low
    }
  }
}
