import TerminalStrip
import Testing
import Windowing

/// The example in Examples/Terminal, by the text on its screen.
struct TerminalStripTests {
  @Test func `a frame shows the cells in view and the number of cells made`() throws {
    #expect(
      try frames(itemCount: 20, columns: 60, keys: [.right]) == [
        """
        +-------+ +-------------+ +----------------+ +--------------
        |0      | |1            | |2               | |3             
        |title-0| |album-0      | |album-1         | |album-2       
        20 items, offset 0, 4 cells made, 4 displayed
        """,
        """
        +-------------+ +----------------+ +-------------------+ +--
        |1            | |2               | |3                  | |4 
        |album-0      | |album-1         | |album-2            | |al
        20 items, offset 10, 5 cells made, 5 displayed
        """,
      ])
  }

  @Test func `the last item is at the right edge after End`() throws {
    let frame = try #require(try frames(itemCount: 100_000, columns: 60, keys: [.end]).last)
    #expect(frame.split(separator: "\n")[1].hasSuffix(" |99999              |"))
  }

  @Test func `no cell is made after the pools are full`() throws {
    let list = try ListView(itemCount: 5_000, columns: 80)
    let pools = StripLayout(list.strip, height: .px(3), gap: .px(1)).pools(poolLength: .px(80))
    for _ in 0..<1_000 { try list.handle(.pageDown) }
    for _ in 0..<1_000 { try list.handle(.left) }
    #expect(list.cellCount <= pools[Kind(number: 0)] + pools[Kind(number: 1)])
    #expect(list.displayCount > 5_000)
  }

  @Test(arguments: [Key.insert, .delete, .wider, .moveLeft, .moveRight])
  func `an edit keeps the first item at its position`(key: Key) throws {
    let list = try ListView(itemCount: 100, columns: 60)
    for key in [Key.end, .pageUp] { try list.handle(key) }
    let before = firstCell(list.frame)
    try list.handle(key)
    let after = firstCell(list.frame)
    // The neighbor of a removed item keeps its position instead.
    #expect(key == .delete || before == after)
    #expect(list.cellCount < 12)
  }

  /// The column and the number of the first item that is entirely in view.
  private func firstCell(_ frame: String) -> [Substring] {
    let row = frame.split(separator: "\n")[1]
    let start = row.firstIndex(of: "|").map { row.distance(from: row.startIndex, to: $0) }
    return ["\(start ?? -1)"] + row.split { "| ".contains($0) }.prefix(1)
  }

  @Test func `a list of no items accepts all keys`() throws {
    let list = try ListView(itemCount: 0, columns: 20)
    for key in Key.allCases where key != .insert { try list.handle(key) }
    #expect(list.frame.hasSuffix("0 items, offset 0, 0"))
    try list.handle(.insert)
    #expect(list.frame.contains("|0      |"))
    try list.handle(.delete)
    #expect(list.frame.hasSuffix("0 items, offset 0, 1"))
  }

  @Test func `a list adapts to the width of the terminal`() throws {
    let list = try ListView(itemCount: 100, columns: 20)
    try list.handle(.end)
    try list.resize(columns: 60)
    #expect(list.frame.split(separator: "\n")[1].hasSuffix("|99                 |"))
  }

  @Test func `escape sequences and letters are keys`() {
    #expect(Key(bytes: Array("\u{1b}[C".utf8)) == .right)
    #expect(Key(bytes: Array("\u{1b}[5~".utf8)) == .pageUp)
    #expect(Key(bytes: Array("<".utf8)) == .moveLeft)
    #expect(Key(bytes: Array("x".utf8)) == nil)
  }
}
