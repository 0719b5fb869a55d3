import Windowing

/// How the time of a window and of an edit grows with the number of items.
struct Growth {
  struct Point {
    let count: Int
    let windowSeconds: Double
    let editSeconds: Double
    let flatSeconds: Double
  }

  let points: [Point]

  static func measured() -> Growth {
    Growth(points: [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].map(measure))
  }

  /// The window at a hundred million items over the window at one million.
  var figure: Figure {
    Figure(
      name: "growth_100m", value: points[4].windowSeconds / points[2].windowSeconds, unit: "x",
      bar: 2.5)
  }

  var table: String {
    points.reduce("items          window us    edit us      flat search us\n") { table, point in
      let cells = [
        "\(point.count)", Figure.decimal(point.windowSeconds * 1e6),
        Figure.decimal(point.editSeconds * 1e6), Figure.decimal(point.flatSeconds * 1e6),
      ]
      let widths = [15, 13, 13, 14]
      return table
        + zip(cells, widths).map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }
        .joined() + "\n"
    }
  }

  private static func measure(_ count: Int) -> Point {
    let layout = laidOut(variedStrip(count))
    let offsets = offsets(100_000, in: layout)
    let pools = layout.pools(stretch: viewport)
    let window = median(batches: 50, of: 2_000) { call in
      use(try? layout.window(meeting: offsets[call]..<offsets[call] + viewport, pools: pools))
    }
    let flat = FlatStarts(layout)
    let flatSeconds = median(batches: 50, of: 2_000) { call in
      use(flat.items(meeting: offsets[call], viewport))
    }
    var random = SeededRandom(state: 17)
    var strip = layout.strip
    var snapshots: [Strip] = []
    let edit = median(batches: 10, of: 1_000) { _ in
      snapshots.append(strip)
      strip[Int.random(in: 0..<count, using: &random)] = variedItem(&random)
    }
    use(snapshots)
    return Point(
      count: count, windowSeconds: window, editSeconds: edit, flatSeconds: flatSeconds)
  }
}
