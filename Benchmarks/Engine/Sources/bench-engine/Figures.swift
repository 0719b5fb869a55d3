import Windowing

/// The figures for ten million items of different sizes.
struct TenMillion {
  private let layout: StripLayout
  private let offsets: [Length]
  private let buildSeconds: Double
  private let bytesPerItem: Double

  init(count: Int = 10_000_000) {
    var random = SeededRandom()
    let items = (0..<count).map { _ in variedItem(&random) }
    let before = residentBytes()
    var strip = Strip()
    buildSeconds = seconds { strip = Strip(kinds: kindNames, items: items) }
    bytesPerItem = withExtendedLifetime(items) {
      Double(residentBytes() - before) / Double(count)
    }
    layout = laidOut(strip)
    offsets = bench_engine.offsets(100_000, in: layout)
  }

  func figures() -> [Figure] {
    let (range, flat) = rangeAndFlat()
    print("range \(Figure.decimal(range * 1e9)) ns, flat \(Figure.decimal(flat * 1e9)) ns")
    return [
      Figure(name: "range_vs_flat", value: range / flat, unit: "x", bar: 2),
      Figure(name: "window_us", value: windowSeconds() * 1e6, unit: "us", bar: 1.2),
    ] + edits() + [
      Figure(name: "snapshot_ns", value: snapshotSeconds() * 1e9, unit: "ns", bar: 50),
      Figure(name: "build_s", value: buildSeconds, unit: "s", bar: 1.5),
      Figure(name: "bytes_per_item", value: bytesPerItem, unit: "B", bar: 16),
    ] + pools()
  }

  /// The time of finding a window: in the tree, and in a flat array by binary search.
  private func rangeAndFlat() -> (Double, Double) {
    let starts = FlatStarts(layout)
    let flat = median(batches: 50, of: 2_000) { use(starts.items(meeting: offsets[$0], viewport)) }
    let range = median(batches: 50, of: 2_000) { call in
      use(try? layout.items(meeting: offsets[call]..<offsets[call] + viewport))
    }
    return (range, flat)
  }

  private func windowSeconds() -> Double {
    let pools = layout.pools(poolLength: viewport)
    return median(batches: 50, of: 2_000) { call in
      let x = offsets[call]
      use(try? layout.window(meeting: x..<x + viewport, pools: pools))
    }
  }

  /// Edits of one random item. A snapshot is retained before each edit.
  private func edits() -> [Figure] {
    var random = SeededRandom(state: 3)
    let edits = (0..<20_000).map { _ in
      (Int.random(in: 0..<layout.count - 20_000, using: &random), variedItem(&random))
    }
    return [
      edit("insert_us", edits) { strip, place, item in strip.insert([item], at: place) },
      edit("remove_us", edits) { strip, place, _ in strip.remove(place..<place + 1) },
      edit("resize_us", edits) { strip, place, item in strip[place] = item },
    ]
  }

  /// Measures the second of two runs. It reuses the memory of the first run's snapshots, as a
  /// server does, and needs few new pages from the kernel. The last strip of the first run stays
  /// alive, so that the allocator does not return the memory below it.
  private func edit(
    _ name: String, _ edits: [(Int, StripItem)], _ edit: (inout Strip, Int, StripItem) -> Void
  ) -> Figure {
    func run() -> (seconds: Double, strip: Strip) {
      var strip = layout.strip
      var snapshots: [Strip] = []
      snapshots.reserveCapacity(edits.count)
      let time = median(batches: edits.count / 500, of: 500) { call in
        snapshots.append(strip)
        edit(&strip, edits[call].0, edits[call].1)
      }
      use(snapshots)
      return (time, strip)
    }
    let first = run()
    let time = withExtendedLifetime(first.strip) { run().seconds }
    return Figure(name: name, value: time * 1e6, unit: "us", bar: 5)
  }

  private func snapshotSeconds() -> Double {
    var snapshots = [Strip](repeating: Strip(), count: 100_000)
    let strip = layout.strip
    let time = median(batches: 50, of: 2_000) { snapshots[$0] = strip }
    use(snapshots)
    return time
  }

  private func pools() -> [Figure] {
    let stretches = [200, 600, 1_000, 1_600, 2_500, 4_000, 8_000, 16_000].map { Length.px($0) }
    var cache = PoolCache()
    let unseen = stretches.map { poolLength in
      seconds { use(cache.pools(of: layout, poolLength: poolLength)) }
    }
    var random = SeededRandom(state: 5)
    var strip = layout.strip
    let edit = median(batches: 51, of: 1) { _ in
      strip[Int.random(in: 0..<layout.count, using: &random)] = variedItem(&random)
      let edited = laidOut(strip)
      for poolLength in stretches { use(cache.pools(of: edited, poolLength: poolLength)) }
    }
    return [
      Figure(name: "pool_unseen_ms", value: unseen.sorted()[4] * 1e3, unit: "ms", bar: 50),
      Figure(name: "pool_edit_ms", value: edit * 1e3, unit: "ms", bar: 1),
    ]
  }
}

/// The figures for a billion items: a repeated pattern of 1,000.
func billionFigures() -> [Figure] {
  var random = SeededRandom(state: 13)
  let pattern = (0..<1_000).map { _ in variedItem(&random) }
  // One strip is smaller than a page, so this measures 1,000 strips.
  let before = residentBytes()
  let strips = (0..<1_000).map { _ in
    Strip(kinds: kindNames, repeating: pattern, count: 1_000_000_000)
  }
  let bytes = withExtendedLifetime(strips) { (residentBytes() - before) / 1_000 }
  let layout = laidOut(strips[0])
  let pools = layout.pools(poolLength: viewport)
  let offsets = offsets(100_000, in: layout)
  let window = median(batches: 50, of: 2_000) { call in
    use(try? layout.window(meeting: offsets[call]..<offsets[call] + viewport, pools: pools))
  }
  return [
    Figure(name: "billion_bytes", value: Double(max(0, bytes)), unit: "B", bar: 1_000_000),
    Figure(name: "billion_window_us", value: window * 1e6, unit: "us", bar: 1.5),
  ]
}
