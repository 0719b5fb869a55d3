// Scrolls a list of 100,000 items in a terminal with the library Windowing:
//
//     swift run TerminalStrip
//     swift run TerminalStrip right pageDown insert end    # prints a frame for each key
//
// Arrow keys, Page Up, Page Down, Home and End scroll. `i` inserts an item before the first one in
// view, `d` removes it, `w` makes it wider, `<` and `>` move it. `q` quits.

package import Windowing

/// The frames of a list: the first one, and one after each key.
package func frames(itemCount: Int, columns: Int, keys: [Key]) throws(WindowingError) -> [String] {
  let list = try ListView(itemCount: itemCount, columns: columns)
  var frames = [list.frame]
  for key in keys {
    try list.handle(key)
    frames.append(list.frame)
  }
  return frames
}

func runInteractively(in terminal: borrowing Terminal) throws(WindowingError) {
  let list = try ListView(itemCount: 100_000, columns: terminal.columns)
  let help = "\narrows, Page Up/Down, Home, End, i insert, d delete, w wider, < > move, q quit"
  while true {
    terminal.show(list.frame + help)
    let bytes = terminal.read()
    if bytes.isEmpty || bytes == Array("q".utf8) { return }
    try list.resize(columns: terminal.columns)
    if let key = Key(bytes: bytes) { try list.handle(key) }
  }
}

let keys = CommandLine.arguments.dropFirst().compactMap(Key.init(rawValue:))
if keys.count < CommandLine.arguments.count - 1 {
  print("Usage: TerminalStrip [key ...], where a key is one of:")
  print(Key.allCases.map(\.rawValue).joined(separator: " "))
} else if let terminal = keys.isEmpty ? Terminal() : nil {
  try runInteractively(in: terminal)
} else {
  for frame in try frames(itemCount: 100_000, columns: 80, keys: keys) { print(frame + "\n") }
}
