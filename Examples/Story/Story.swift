// The story of a cell: six lists that show the same items. Each has one idea more than the one before.
//
//     swift run Story        # all steps
//     swift run Story 5      # one step

@main package enum Story {
  package static var steps: [(name: String, list: any ListView.Type)] {
    [
      ("a cell for every item", AllCells.self),
      ("frames, and cells for the visible items", VisibleCells.self),
      ("dequeue by kind", DequeuedCells.self),
      ("hide in place of remove", HiddenCells.self),
      ("slot = rank mod pool", SlottedCells.self),
      ("the same rule in the library", EngineCells.self),
    ]
  }

  /// Albums of different widths, and a heading before every nine of them.
  package static func shelf(count: Int) -> [Item] {
    (0..<count).map { number in
      number % 10 == 0
        ? Item(kind: "heading", width: 60) : Item(kind: "album", width: 100 + number % 4 * 20)
    }
  }

  package static func main() {
    let all = Array(1...steps.count)
    let chosen = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
    guard chosen.allSatisfy(all.contains) else {
      return print("Usage: swift run Story [1-\(all.count)]")
    }
    for step in chosen.isEmpty ? all : chosen { run(step) }
  }

  private static func run(_ step: Int) {
    let items = shelf(count: 10_000)
    let (name, list) = steps[step - 1]
    let scrolled = list.init(items, width: 800)
    let first = scrolled.counts.made
    for offset in stride(from: 0, through: 100_000, by: 50) { scrolled.scroll(to: offset) }
    let jumped = list.init(items, width: 800)
    jumped.scroll(to: 100_000)
    let drawn = [scrolled, jumped].compactMap { $0.visibleCells.first { $0.kind == "album" } }
    print(
      """
      \(step). \(name)
         cells made: \(first) at the start, \(scrolled.counts.made) after 100,000 px
         cells in the list: \(scrolled.cells.count), visible: \(scrolled.visibleCells.count)
         the item \(drawn[0].index) is drawn by \(drawn[0].name), and after a jump by \(drawn[1].name)

      """)
  }
}
