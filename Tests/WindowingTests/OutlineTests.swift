import Testing
import Windowing

@Suite("A strip described by groups of runs")
struct OutlineTests {
  private func outline() -> Outline {
    Outline {
      Items(1, kind: "heading", width: 320, id: "title")
      Group("1971") {
        Items(20, kind: "album", width: 180, id: "albums")
        Items(2, kind: "heading", width: 90)
      }
      for year in 1972...1973 {
        Group("\(year)") { Items(3, kind: "album", width: 100) }
      }
    }
  }

  @Test("has the items and groups in the order written")
  func builds() {
    let strip = outline().strip
    #expect(strip.kinds == ["heading", "album"])
    #expect(strip.count == 29)
    #expect(
      Array(strip.groupRuns(from: 0)) == [
        GroupRun(title: "1971", range: 1..<23), GroupRun(title: "1972", range: 23..<26),
        GroupRun(title: "1973", range: 26..<29),
      ])
    #expect(strip[5].size.width == .px(180))
    #expect(Strip { Group("1971") { Items(20, kind: "album", width: 180) } }.count == 20)
  }

  @Test("hides, shows, resizes and recounts runs by name")
  func changes() {
    var outline = outline()
    let before = outline.strip
    let album = Kind(number: 1)
    #expect(outline.range(of: "albums") == 1..<21)
    let done1 = outline.hide("albums")
    #expect(done1)
    #expect(outline.strip.count == 29 && outline.strip.count(of: album) == 6)
    let done2 = outline.show("albums")
    #expect(done2)
    #expect(outline.strip == before)
    let resized = outline.resize("albums", to: ItemSize(width: .px(50)))
    #expect(resized)
    #expect(outline.strip.totals.widthUnits == before.totals.widthUnits - 20 * 130 * 64)
    let done3 = outline.recount("albums", to: 5)
    #expect(done3)
    #expect(outline.strip.groupRun(at: 3) == GroupRun(title: "1971", range: 1..<8))
    let done4 = outline.recount("albums", to: 0)
    #expect(done4)
    #expect(outline.range(of: "albums") == 1..<1)
    let done5 = outline.recount("albums", to: 2)
    #expect(done5)
    #expect(outline.strip.groupRun(at: 1)?.range == 1..<5)
  }

  @Test("answers with nothing for a run that is not there")
  func unknown() {
    var outline = outline()
    let done6 = outline.hide("songs")
    #expect(!done6)
    #expect(outline.range(of: "songs") == nil)
    #expect(outline.run(at: 29) == nil && outline.run(at: -1) == nil)
    #expect(outline.run(at: 1)?.id == "albums")
  }
}
