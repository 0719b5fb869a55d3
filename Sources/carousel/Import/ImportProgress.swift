import Foundation

/// The progress of an import, on one line that is overwritten, if standard error is a terminal.
struct ImportProgress {
  let input: InputFile
  private var items = 0
  private var hasWritten = false

  init(of input: InputFile) { self.input = input }

  mutating func count() {
    items += 1
    guard items.isMultiple(of: 20_000) else { return }
    let share = input.size.map { " (\(input.position * 100 / max($0, 1)) %)" } ?? ""
    show("\(items.of("item"))\(share)")
  }

  mutating func show(_ text: String) {
    guard StandardError.isTerminal else { return }
    hasWritten = true
    StandardError.write("\r\u{1B}[K\(text)")
  }

  mutating func clear() {
    guard hasWritten else { return }
    hasWritten = false
    StandardError.write("\r\u{1B}[K")
  }
}
