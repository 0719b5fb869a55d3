import Foundation
import Testing
import Windowing

/// The code examples of the documentation, as code that compiles.
struct DocumentationTests {
  @Test func `the example of Swift.md compiles`() throws {
    let strip = Strip(kinds: ["card"], count: 1_000_000) { index in
      StripItem(size: ItemSize(width: .px(100 + index % 7)), kind: Kind(number: 0))
    }
    let layout = StripLayout(strip, height: .px(180), gap: .px(10))
    let window = try layout.window(
      meeting: .px(5_000_000)..<(.px(5_000_800)), pools: layout.pools(poolLength: .px(800)))
    for item in window.items { print(item.index, item.slot.number, item.start, item.size) }

    try expectSameCode(as: "Documentation/Swift.md")
  }

  @Test func `the layout of Swift.md compiles`() throws {
    let strip = Strip(
      kinds: ["card"],
      items: [StripItem(size: ItemSize(aspect: Aspect(units: 90_000)), kind: Kind(number: 0))])
    var cache = LayoutCache()
    let rule = LayoutRule.rows(width: .px(1440), row: .px(220), cell: Aspect(units: 65_536))
    if let wall = cache.layout(of: strip, rule, gap: .px(8)) {
      let pools = cache.pools(of: wall, poolLength: .px(900))
      let window = try wall.window(meeting: .px(0)..<Length.px(900), pools: pools)
      for (item, frame) in zip(window.items, window.frames) {
        print(item.index, item.slot.number, item.start, item.size, frame.x, frame.width)
      }
    }

    try expectSameCode(as: "Documentation/Swift.md", block: 2)
  }

  @Test func `the example of engine.md compiles`() throws {
    var strip = Strip(kinds: ["album"], count: 1_000_000) { _ in
      StripItem(size: ItemSize(aspect: Aspect(units: 65_536)), kind: Kind(number: 0))
    }
    strip.setGroup("1971", for: 0..<20)
    var cache = PoolCache()
    let layout = StripLayout(strip, height: .px(180), gap: .px(10))
    let pools = cache.pools(of: layout, poolLength: .px(800))
    let window = try layout.window(meeting: .px(1_200)..<Length.px(2_000), pools: pools)
    for item in window.items { print(item.index, item.slot.number, item.start, item.size) }

    try expectSameCode(as: "Documentation/engine.md")
  }

  /// Expects that this file contains the Swift code of a document, without comments and imports.
  private func expectSameCode(as document: String, block: Int = 1) throws {
    let file = URL(filePath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
    let code = text.split(separator: "```swift\n").dropFirst(block).first?.split(separator: "```")
      .first
    let lines = try #require(code, "\(document) has no Swift code.").split(separator: "\n")
      .filter { !$0.hasPrefix("//") && !$0.hasPrefix("import") }
    let source = try String(contentsOf: file, encoding: .utf8)
    #expect(source.contains(lines.map { "    \($0)\n" }.joined()), "\(document) differs.")
  }
}
