extension Growth {
  /// A plot of the points, both axes logarithmic, as SVG that reads in light and dark.
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

/// Where values lie in the plot, in its own units.
private enum Plot {
  static func x(_ place: Int) -> Int { 90 + place * 120 }

  /// A decade is 80 high; 0.1 us lies at 310.
  static func y(_ seconds: Double) -> Int {
    var decades = 0.0
    var value = seconds / 1e-7
    while value >= 10 {
      value /= 10
      decades += 1
    }
    // Within a decade, a logarithm by 32 equal steps, each of the 32nd root of ten.
    var low = 0.0
    var power = 1.0
    while power * 1.0746078283213174 <= value {
      power *= 1.0746078283213174
      low += 1.0 / 32
    }
    return 310 - Int((decades + low) * 80)
  }
}
