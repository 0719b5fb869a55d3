import CaseTesting
import Testing
import Windowing

/// Rules that the page's script implements too, in windows/geometry.js.
struct SharedCaseTests {
  struct Rung: Decodable, Sendable {
    let px, rung, everyOther: Double
  }

  @Test(arguments: cases("ladder", as: [Rung].self))
  func `the page requests size classes`(vector: Rung) throws {
    #expect(try SizeClasses.roundedUp(#require(Length(px: vector.px))) == Length(px: vector.rung))
    let everyOther = try #require(Length(px: vector.everyOther))
    #expect(SizeClasses.roundedUp(everyOther) == everyOther)
  }

  struct Aligned: Decodable, Sendable {
    let start, size, width, from: Double
    let align: String
    let offset: Double
  }

  @Test(arguments: cases("alignment", as: [Aligned].self))
  func `an item is aligned as in the page`(vector: Aligned) throws {
    let items = try [vector.start, vector.size].map {
      StripItem(size: ItemSize(width: try #require(Length(px: $0))), kind: Kind(number: 0))
    }
    let layout = StripLayout(Strip(kinds: ["card"], items: items), height: .px(180))
    let found = try #require(Alignment(rawValue: vector.align)).offset(
      showing: Int(layout.start(of: 1).units), Int(layout.end(of: 1).units),
      in: #require(Length(px: vector.width)), from: #require(Length(px: vector.from)))
    #expect(found == Length(px: vector.offset))
  }
}
