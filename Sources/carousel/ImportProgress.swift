import Catalogue

/// A line that says how far an import is, where a terminal shows it.
struct ImportProgress {
  private let input: InputFile
  private var items = 0
  private var hasWritten = false

  init(input: InputFile) { self.input = input }

  /// Counts an item that was read, and says so now and then.
  mutating func count() {
    items += 1
    guard items.isMultiple(of: 20_000) else { return }
    let share = input.size.map { " (\(input.position * 100 / max($0, 1)) %)" } ?? ""
    say("\(items.of("item"))\(share)")
  }

  /// Puts `text` in the place of what the line said before.
  mutating func say(_ text: String) {
    guard StandardError.isTerminal else { return }
    hasWritten = true
    StandardError.write("\r\u{1B}[K\(text)")
  }

  /// Takes the line away.
  mutating func end() {
    guard hasWritten else { return }
    hasWritten = false
    StandardError.write("\r\u{1B}[K")
  }
}
