import Windowing

/// The figures over a billion items by a pattern of 1,000.
func billionFigures() -> [Figure] {
  var random = SeededRandom(state: 13)
  let pattern = (0..<1_000).map { _ in variedItem(&random) }
  let before = residentBytes()
  let strip = Strip(kinds: kindNames, repeating: pattern, count: 1_000_000_000)
  let bytes = withExtendedLifetime((pattern, strip)) { residentBytes() - before }
  let layout = laidOut(strip)
  let pools = layout.pools(stretch: viewport)
  let offsets = offsets(100_000, in: layout)
  let window = median(batches: 50, of: 2_000) { call in
    use(try? layout.window(meeting: offsets[call]..<offsets[call] + viewport, pools: pools))
  }
  return [
    Figure(name: "billion_bytes", value: Double(max(0, bytes)), unit: "B", bar: 1_000_000),
    Figure(name: "billion_window_us", value: window * 1e6, unit: "us", bar: 1.5),
  ]
}
