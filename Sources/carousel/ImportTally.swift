import Catalogue

/// What an import counts, for its summary.
struct ImportTally {
  /// How many items the file had, whether they were taken or not.
  var read = 0
  private(set) var items = 0
  private var kinds: [String: Int] = [:]
  private var withoutSize = 0
  private var broughtIntoRange = 0
  private var skipped = 0
  private var firstSkipped: [String] = []

  mutating func count(_ read: ReadItem) {
    items += 1
    kinds[read.item.kind, default: 0] += 1
    if read.item.aspect == nil && read.item.width == nil { withoutSize += 1 }
    if read.wasBroughtIntoRange { broughtIntoRange += 1 }
  }

  /// Notes a record that was passed over, and why.
  mutating func skip(_ reason: String) {
    skipped += 1
    if firstSkipped.count < 5 { firstSkipped.append(reason) }
  }

  /// Why there is not one item in the file, where it has records.
  var emptiness: String? {
    guard read == 0, let first = firstSkipped.first else { return nil }
    return "not one of \(skipped.of("record")) is an item; the first fault: \(first)"
  }

  /// The summary, a line each.
  var lines: [String] {
    var lines = [items.of("item")]
    if items > 0 {
      let counts = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      lines.append(
        "\(kinds.count.of("kind")): "
          + counts.map { "\($0.key) \($0.value.grouped)" }.joined(separator: ", "))
      lines.append(
        "sizes: \(withoutSize.grouped) absent, \(broughtIntoRange.grouped) brought into range")
    }
    guard skipped > 0 else { return lines }
    lines.append("\(skipped.of("record")) skipped:")
    lines += firstSkipped.map { "  \($0)" }
    if skipped > firstSkipped.count { lines.append("  ...") }
    return lines
  }
}

extension StripCounts {
  /// How many strips were replaced: `3 strips: 1 new, 1 changed, 1 unchanged`.
  var line: String {
    "\(all.of("strip")): \(made.grouped) new, \(changed.grouped) changed, \(same.grouped) unchanged"
  }
}

extension Int {
  /// So many of something: `1 item`, `1,234 items`.
  func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  /// `1,234,567`.
  var grouped: String {
    var digits = Array(String(magnitude).reversed())
    for place in stride(from: (digits.count - 1) / 3 * 3, to: 0, by: -3) {
      digits.insert(",", at: place)
    }
    return (self < 0 ? "-" : "") + String(digits.reversed())
  }
}
