import Windowing

/// The contract's arithmetic by loops over arrays, in 128 bits.
struct NaiveStripLayout {
  let items: [StripItem]
  let height: Int128
  let gap: Int128
  let inset: Int128
  let wraps: Bool

  init(_ items: [StripItem], height: Length, gap: Length, inset: Length, wraps: Bool) {
    self.items = items
    self.height = Int128(height.units)
    self.gap = Int128(gap.units)
    let lapLength = NaiveStripLayout.position(items[...], Int128(height.units), Int128(gap.units))
    self.wraps = wraps && lapLength > 0
    self.inset = self.wraps ? 0 : Int128(inset.units)
  }

  /// floor(h x sum of a / 65536) + sum of b + count x g.
  static func position(_ items: ArraySlice<StripItem>, _ h: Int128, _ g: Int128) -> Int128 {
    let a = items.reduce(Int128(0)) { $0 + Int128($1.size.aspect.units) }
    let b = items.reduce(Int128(0)) { $0 + Int128($1.size.width.units) }
    return h * a / 65_536 + b + Int128(items.count) * g
  }

  var lapLength: Int128 { NaiveStripLayout.position(items[...], height, gap) }

  var extent: Int128 {
    if wraps { return lapLength }
    return items.isEmpty ? 2 * inset : lapLength - gap + 2 * inset
  }

  /// The start and end of each item of one lap, in 1/64 px.
  var places: [(start: Int128, end: Int128)] {
    var places: [(start: Int128, end: Int128)] = []
    var (a, b) = (Int128(0), Int128(0))
    for (i, item) in items.enumerated() {
      let start = inset + height * a / 65_536 + b + Int128(i) * gap
      a += Int128(item.size.aspect.units)
      b += Int128(item.size.width.units)
      let next = inset + height * a / 65_536 + b + Int128(i + 1) * gap
      places.append((start, next - gap))
    }
    return places
  }

  /// The laps that can intersect [x, y).
  func laps(_ x: Int, _ y: Int) -> ClosedRange<Int> {
    guard wraps else { return 0...0 }
    let first = Int(Int128(x) / lapLength) - 3
    let last = Int(Int128(y) / lapLength) + 3
    return first...last
  }

  func items(meeting x: Int, _ y: Int) -> Range<Int> {
    let places = self.places
    var met: [Int] = []
    var firstEnding: Int?
    for lap in laps(x, y) {
      let origin = Int128(lap) * (wraps ? lapLength : 0)
      for (i, place) in places.enumerated() {
        let (start, end) = (origin + place.start, origin + place.end)
        let index = lap * items.count + i
        if end > Int128(x), firstEnding == nil { firstEnding = index }
        if start < Int128(y), end > Int128(x), end != start { met.append(index) }
      }
    }
    if let first = met.first, let last = met.last { return first..<last + 1 }
    let none = firstEnding ?? items.count
    return none..<none
  }

  /// The number of visible items of the same kind before `index`, in all laps from 0.
  func rank(_ index: Int) -> Int {
    let lap = wraps ? Int((Double(index) / Double(items.count)).rounded(.down)) : 0
    let local = index - lap * items.count
    let kind = items[local].kind
    let visible = { (part: ArraySlice<StripItem>) in
      part.count { $0.kind == kind && !$0.size.isHidden }
    }
    return lap * visible(items[...]) + visible(items[..<local])
  }
}

extension NaiveStripLayout {
  /// The pools by definition: over every pair of items, in all laps within a length.
  func pools(poolLength: Length) -> [Kind: Int] {
    let h = Int128(SizeClasses.roundedDown(Length(units: Int64(height))).units)
    let limit = Int128(SizeClasses.roundedUp(poolLength).units) - 2
    let n = items.count
    var pools: [Kind: Int] = [:]
    for item in items where !item.size.isHidden { pools[item.kind] = 1 }
    let whole = max(1, NaiveStripLayout.position(items[...], h, gap))
    let laps = wraps ? Int(limit / whole) + 2 : 0
    let counts = Dictionary(grouping: items.filter { !$0.size.isHidden }, by: \.kind)
      .mapValues(\.count)
    for i in 0..<n where !items[i].size.isHidden {
      let kind = items[i].kind
      let tail = NaiveStripLayout.position(items[(i + 1)...], h, gap) + gap
      for lap in 0...laps {
        for j in 0..<n where items[j].kind == kind && !items[j].size.isHidden {
          if lap == 0 && j <= i { continue }
          let apart =
            lap == 0
            ? NaiveStripLayout.position(items[(i + 1)..<j], h, gap) + gap
            : tail + Int128(lap - 1) * whole + NaiveStripLayout.position(items[..<j], h, gap)
          if apart <= limit {
            let count = lap * counts[kind, default: 0] + rank(j) - rank(i) + 1
            pools[kind] = max(pools[kind, default: 0], count)
          }
        }
      }
    }
    return pools
  }
}
