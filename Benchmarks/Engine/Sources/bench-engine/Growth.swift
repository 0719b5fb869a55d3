import Windowing

/// The time of a window and of an edit by the number of items.
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

  /// The time of a window at a hundred million items, divided by the time at one million.
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
    let pools = layout.pools(poolLength: viewport)
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

extension Growth {
  /// A log-log plot of the points as SVG, readable in light and dark mode.
  var plot: String {
    let lines = [
      ("one edit, a snapshot kept", "#c2410c", points.map(\.editSeconds)),
      ("a window of 12 items", "#1d4ed8", points.map(\.windowSeconds)),
      ("binary search in a flat array", "#6b7280", points.map(\.flatSeconds)),
    ]
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" font-family="sans-serif" \
      font-size="12" role="img" aria-label="Time of a window and an edit by number of items">
      <rect width="640" height="360" fill="#fff"/>

      """
    for (place, name) in ["10 thousand", "100 thousand", "1 million", "10 million", "100 million"]
      .enumerated()
    {
      svg += text(Plot.x(place), 335, name, anchor: "middle")
    }
    for (microseconds, name) in [(0.1, "0.1"), (1.0, "1"), (10.0, "10"), (100.0, "100 us")] {
      let y = Plot.y(microseconds * 1e-6)
      svg += "<line x1=\"60\" x2=\"600\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#ddd\"/>\n"
      svg += text(52, y + 4, name, anchor: "end")
    }
    for (place, (name, color, times)) in lines.enumerated() {
      let dots = times.enumerated().map { "\(Plot.x($0.offset)),\(Plot.y($0.element))" }
      svg += "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\" points=\""
      svg += dots.joined(separator: " ") + "\"/>\n"
      svg +=
        "<rect x=\"72\" y=\"\(22 + place * 18)\" width=\"12\" height=\"4\" fill=\"\(color)\"/>\n"
      svg += text(90, 28 + place * 18, name, anchor: "start")
    }
    return svg + "</svg>\n"
  }

  private func text(_ x: Int, _ y: Int, _ text: String, anchor: String) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(text)</text>\n"
  }
}

/// The coordinates of values in the plot.
private enum Plot {
  static func x(_ place: Int) -> Int { 90 + place * 120 }

  /// A decade is 80 units high, and 0.1 us is at 310.
  static func y(_ seconds: Double) -> Int {
    var decades = 0.0
    var value = seconds / 1e-7
    while value >= 10 {
      value /= 10
      decades += 1
    }
    // Approximates the logarithm by steps of 1/32: factors of the 32nd root of ten.
    var low = 0.0
    var power = 1.0
    while power * 1.0746078283213174 <= value {
      power *= 1.0746078283213174
      low += 1.0 / 32
    }
    return 310 - Int((decades + low) * 80)
  }
}
