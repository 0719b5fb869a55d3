import CRows
import Windowing

/// The figures of ten million pictures.
func tenMillionFigures() -> [Figure] {
  let pictures = Pictures(10_000_000)
  let strip = WindowTime(pictures.line)
  print("strip window: \(strip.text)")
  return firstWindows(pictures) + rows(pictures, strip) + newWidths(pictures, strip)
}

/// Breaking and pools at widths that were never asked for, beside the loop in C.
private func firstWindows(_ pictures: Pictures) -> [Figure] {
  let several = Pictures(10_000_000, kinds: 4)
  var (loop, breaking, first, firstOfSeveral): ([Double], [Double], [Double], [Double]) =
    ([], [], [], [])
  for number in 0..<7 {
    let width = Length(units: Int64(92_160 + number))
    loop.append(pictures.loopSeconds(width))
    for source in [pictures, several] {
      var cache = LayoutCache()
      var rows: Layout?
      let time = seconds { rows = source.layout(Pictures.rows(width), &cache) }
      let pools = seconds {
        if let rows { use(cache.pools(of: rows, poolLength: Pictures.viewport.rows)) }
      }
      if source.strip.count(of: Kind(number: 1)) == 0 {
        breaking.append(time)
        first.append(time + pools)
      } else {
        firstOfSeveral.append(time + pools)
      }
    }
  }
  func middle(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
  print(
    "C loop \(Figure.decimal(middle(loop) * 1e3)) ms, breaking "
      + "\(Figure.decimal(middle(breaking) * 1e3)) ms, with pools "
      + "\(Figure.decimal(middle(first) * 1e3)) ms, of four kinds "
      + "\(Figure.decimal(middle(firstOfSeveral) * 1e3)) ms")
  let edit = editSeconds(pictures, Pictures.rows(.px(1_440)))
  return [
    Figure(name: "rows_first_x", value: middle(first) / middle(loop), unit: "x", bar: 2.5),
    Figure(name: "rows_edit_us", value: edit * 1e6, unit: "us", bar: 100),
    Figure(
      name: "rows_edit_share", value: edit / middle(breaking), unit: "x", bar: 0.05),
    Figure(
      name: "rows_edit_kinds_us", value: editSeconds(several, Pictures.rows(.px(1_440))) * 1e6,
      unit: "us", bar: 100),
    Figure(
      name: "list_edit_us", value: editSeconds(several, Pictures.list(.px(700))) * 1e6, unit: "us",
      bar: 100),
    Figure(
      name: "grid_edit_us", value: editSeconds(several, Pictures.grid(.px(700))) * 1e6, unit: "us",
      bar: 100),
  ]
}

/// The time of the layout and its pools after the size of one item changed.
private func editSeconds(_ pictures: Pictures, _ rule: LayoutRule) -> Double {
  var (pictures, cache, random) = (pictures, LayoutCache(), SeededRandom(state: 3))
  func refresh() {
    let rows = pictures.layout(rule, &cache)
    use(cache.pools(of: rows, poolLength: Pictures.viewport.rows))
  }
  refresh()
  let times = (0..<301).map { _ in
    let index = Int.random(in: 0..<pictures.strip.count, using: &random)
    let aspect = Aspect(units: UInt32(32_768 + random.next() % 98_304))
    pictures.strip[index].size = ItemSize(aspect: aspect)
    return seconds(refresh)
  }
  return times.sorted()[150]
}

private func rows(_ pictures: Pictures, _ strip: WindowTime) -> [Figure] {
  var cache = LayoutCache()
  let rows = pictures.layout(Pictures.rows(.px(1_440)), &cache)
  let window = WindowTime(rows, cache.pools(of: rows, poolLength: Pictures.viewport.rows))
  print("rows window: \(window.text)")
  return [
    Figure(
      name: "rows_window_item_x", value: window.perItem / strip.perItem, unit: "x", bar: 1.5)
  ]
}

/// A window at a width never asked for, with the layout; of a grid with its pools too.
private func newWidths(_ pictures: Pictures, _ strip: WindowTime) -> [Figure] {
  var cache = LayoutCache()
  let first = pictures.layout(Pictures.list(.px(700)), &cache)
  var pools: Pools?
  let listPools = seconds { pools = cache.pools(of: first, poolLength: Pictures.viewport.rows) }
  print("list pools: \(Figure.decimal(listPools * 1e3)) ms")
  var width: Int64 = 44_800
  let list = WindowTime(first.extent, Pictures.viewport.rows) { span in
    width += 1
    let list = pictures.layout(Pictures.list(Length(units: width)), &cache)
    return pools.flatMap { try? list.window(meeting: span, pools: $0) }
  }
  let grid = WindowTime(
    pictures.layout(Pictures.grid(.px(900)), &cache).extent, Pictures.viewport.rows
  ) { span in
    width += 1
    let grid = pictures.layout(Pictures.grid(Length(units: width)), &cache)
    let pools = cache.pools(of: grid, poolLength: Pictures.viewport.rows)
    return try? grid.window(meeting: span, pools: pools)
  }
  print("list window at a new width: \(list.text)\ngrid window at a new width: \(grid.text)")
  return [
    Figure(name: "list_new_width_x", value: list.seconds / strip.seconds, unit: "x", bar: 2),
    Figure(name: "grid_new_width_item_x", value: grid.perItem / strip.perItem, unit: "x", bar: 2),
  ]
}

func memoryFigures() -> [Figure] {
  let pictures = Pictures(1_000_000)
  var cache = LayoutCache()
  let before = Int(allocated_bytes())
  for number in 0..<20 { use(pictures.layout(Pictures.rows(.px(1_400 + number)), &cache)) }
  let perItem = Double(Int(allocated_bytes()) - before) / 20 / Double(pictures.strip.count)
  for number in 0..<100 { use(pictures.layout(Pictures.rows(.px(1_420 + number)), &cache)) }
  let all = Double(Int(allocated_bytes()) - before) / 1_048_576
  print(
    "the cache says that 100 widths of a million items take \(Figure.decimal(Double(cache.cost) / 1_048_576)) MB of 64"
  )
  return [
    Figure(name: "rows_bytes_per_item", value: perItem, unit: "B", bar: 1.5),
    Figure(name: "rows_100_widths_mb", value: all, unit: "MB", bar: 66),
  ]
}

/// Times at 1, 10 and 100 million items.
func growthFigures() -> [Figure] {
  var points: [(first: Double, rows: WindowTime, list: WindowTime)] = []
  for count in [1_000_000, 10_000_000, 100_000_000] {
    let pictures = Pictures(count)
    var cache = LayoutCache()
    var rows: Layout?
    var pools = Pools([])
    let first = seconds {
      let made = pictures.layout(Pictures.rows(.px(1_440)), &cache)
      pools = cache.pools(of: made, poolLength: Pictures.viewport.rows)
      rows = made
    }
    let list = pictures.layout(Pictures.list(.px(700)), &cache)
    guard let rows else { continue }
    points.append((first, WindowTime(rows, pools), WindowTime(list, pools)))
    print(
      "\(count) items: first \(Figure.decimal(first * 1e3)) ms, rows window "
        + "\(points[points.count - 1].rows.text), list window \(points[points.count - 1].list.text)"
    )
  }
  return [
    // Ten times the items, in memory that no cache covers.
    Figure(
      name: "rows_first_growth_x", value: points[2].first / points[1].first, unit: "x", bar: 16),
    Figure(
      name: "rows_window_growth_x", value: points[2].rows.seconds / points[0].rows.seconds,
      unit: "x", bar: 2.5),
    Figure(
      name: "list_window_growth_x", value: points[2].list.seconds / points[0].list.seconds,
      unit: "x", bar: 2.5),
  ]
}
