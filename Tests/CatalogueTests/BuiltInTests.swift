import Catalogue
import CatalogueTesting
import Items
import Testing
import Views
import Windowing

struct BuiltInTests {
  private let catalogue: MemoryCatalogue

  init() throws { catalogue = try BuiltIn.catalogue(version: "1.0.0") }

  @Test func `albums are the first strip`() throws {
    let names = try catalogue.names(after: nil, limit: 10)
    #expect(names == ["albums", "billion", "elements", "landscapes", "moons"])
    #expect(try catalogue.snapshot(of: nil, at: nil).name == "albums")
  }

  @Test func `a revision depends on the version of the program`() throws {
    let again = try BuiltIn.catalogue(version: "1.0.0")
    let later = try BuiltIn.catalogue(version: "1.0.1")
    for name in try catalogue.names(after: nil, limit: 10) {
      let revision = try catalogue.snapshot(of: name, at: nil).revision
      #expect(1..<(1 << 53) ~= revision)
      #expect(try again.snapshot(of: name, at: nil).revision == revision)
      #expect(try later.snapshot(of: name, at: nil).revision != revision)
    }
  }

  @Test func `albums are fifty items in the order of years`() throws {
    let albums = try catalogue.snapshot(of: "albums", at: nil)
    let items = try albums.source.items(in: 0..<50)
    #expect(albums.strip.count == 50)
    #expect(items.map(\.id) == (0..<50).map { "a\($0)" })
    #expect(items.allSatisfy { $0.kind == "album" && $0.aspect == Aspect(units: 65536) })
    let years = items.compactMap { $0.group.flatMap { Int($0) } }
    #expect(years.count == 50 && years == years.sorted())
    #expect(years.indices.filter { years[$0] == 1971 } == Array(4..<9))
    let six = items[6].fields
    #expect(six.pairs.prefix(3).map(\.value.text) == ["Blue", "Joni Mitchell", "/covers/a6.svg"])
  }

  @Test func `the last of a billion items is exact`() throws {
    let billion = try catalogue.snapshot(of: "billion", at: nil)
    let last = 999_999_999
    #expect(billion.strip.count == 1_000_000_000)
    let item = try #require(try billion.source.items(in: last..<last + 1).first)
    #expect(item.fields["title"] == .string("No. 1,000,000,000"))
    #expect(item.size(itemWidth: .zero) == billion.strip[last].size)
    #expect(try billion.source.index(of: item.id) == last)
    #expect(
      try billion.source.contents(of: 1_234_566..<1_234_567).first?.fields["title"]
        == .string("No. 1,234,567"))
    #expect(Set((0..<1000).map { billion.strip[$0].size.width }).count == 167)
  }

  @Test(arguments: ["n0", "n01", "n+1", "n1000000001", "1", "n", ""])
  func `an id outside the billion has no index`(_ id: String) throws {
    #expect(try catalogue.snapshot(of: "billion", at: nil).source.index(of: id) == nil)
  }

  @Test func `elements are the periodic table with a heading for each period`() throws {
    let elements = try catalogue.snapshot(of: "elements", at: nil)
    let items = try elements.source.items(in: 0..<elements.strip.count)
    #expect(items.count == 118 + 7)
    #expect(elements.strip.kinds.sorted() == ["element", "gas", "heading"])
    #expect(items.filter { $0.kind == "gas" }.map(\.id) == ["He", "Ne", "Ar", "Kr", "Xe", "Rn"])
    #expect(items.first?.id == "period-1" && items.last?.id == "Og")
    let gold = try #require(items.first { $0.id == "Au" })
    #expect(gold.group == "Period 6")
    #expect(gold.fields["number"] == .number("79"))
    #expect(items.allSatisfy { $0.fields["title"] != nil })
  }

  @Test func `landscapes are in one group for each year`() throws {
    let landscapes = try catalogue.snapshot(of: "landscapes", at: nil)
    #expect(landscapes.strip.count == 69_202)
    let groups = Array(landscapes.strip.groupRuns(from: 0))
    #expect(groups.map(\.title) == (1826..<2026).map { String($0) })
    for group in groups {
      for index in [group.range.lowerBound, group.range.upperBound - 1] {
        let item = try #require(try landscapes.source.items(in: index..<index + 1).first)
        #expect(item.group == group.title && item.fields["year"] == .number(group.title))
        #expect(item.size(itemWidth: .zero) == landscapes.strip[index].size)
        #expect(try landscapes.source.index(of: item.id) == index)
      }
    }
  }

  @Test func `the computed fields of a landscape are valid`() throws {
    let landscapes = try catalogue.snapshot(of: "landscapes", at: nil)
    for content in try landscapes.source.contents(of: 34_000..<34_100) {
      #expect(try Fields(json: content.fields.json) == content.fields)
    }
  }

  @Test func `moons are in groups of their planets`() throws {
    let moons = try catalogue.snapshot(of: "moons", at: nil)
    let items = try moons.source.items(in: 0..<moons.strip.count)
    #expect(items.count == 42)
    #expect(items.allSatisfy { $0.kind == "moon" && $0.fields["planet"]?.text == $0.group })
  }
}
