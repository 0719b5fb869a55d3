import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views
import Windowing

struct ItemTests {
  @Test func `an item is read from a line of JSON and written back`() throws {
    let line =
      #"{"id":"A00001","kind":"artwork","aspect":1.0635,"width":16,"group":"1794","fields":{"title":"..."}}"#
    let item = try Item(json: Array(line.utf8))
    #expect(item.id == "A00001")
    #expect(item.kind == "artwork")
    #expect(item.aspect == Aspect(units: 69698))
    #expect(item.width == .px(16))
    #expect(item.group == "1794")
    #expect(item.fields["title"] == .string("..."))
    #expect(String(decoding: item.json, as: UTF8.self) == line)
  }

  @Test func `an item with only an id is a card without fields`() throws {
    let item = try Item(json: Array(#"{"id":"x"}"#.utf8))
    #expect(String(decoding: item.json, as: UTF8.self) == #"{"id":"x","kind":"card","fields":{}}"#)
    #expect(item.size(itemWidth: .px(160)) == ItemSize(aspect: Aspect(units: 0), width: .px(160)))
  }

  @Test func `an absent aspect or width counts 0`() throws {
    let tall = try Item(id: "x", aspect: Aspect(units: 65536))
    #expect(tall.size(itemWidth: .px(160)).width == .zero)
    let hidden = try Item(id: "x", width: .zero)
    #expect(hidden.size(itemWidth: .px(160)) == ItemSize(aspect: Aspect(units: 0), width: .zero))
  }

  @Test(arguments: [
    (#"{"kind":"card"}"#, "id: "), (#"{"id":""}"#, "id: "), (#"{"id":7}"#, "id: "),
    (#"{"id":"a\tb"}"#, "id: "), (#"{"id":"\u0085"}"#, "id: "),
    (#"{"id":"x","kind":"Card"}"#, "kind: "), (#"{"id":"x","kind":""}"#, "kind: "),
    (#"{"id":"x","kind":"2d"}"#, "kind: "), (#"{"id":"x","kind":null}"#, "kind: "),
    (#"{"id":"x","aspect":-0.1}"#, "aspect: "), (#"{"id":"x","aspect":1000.1}"#, "aspect: "),
    (#"{"id":"x","aspect":1e999}"#, "aspect: "), (#"{"id":"x","aspect":"1"}"#, "aspect: "),
    (#"{"id":"x","width":-1}"#, "width: -1 "), (#"{"id":"x","width":100001}"#, "width: "),
    (#"{"id":"x","group":1}"#, "group: "), (#"{"id":"x","fields":[]}"#, "fields: "),
    (#"{"id":"x","fields":{"a":null}}"#, "fields.a: "), (#"{"id":"x","size":1}"#, "\"size\""),
    (#"{"id":"x","id":"y"}"#, "\"id\""), (#"{"id":"x"} {}"#, "end"),
  ])
  func `an error names the wrong member`(_ line: String, _ named: String) {
    let error = #expect(throws: CatalogueError.self) { try Item(json: Array(line.utf8)) }
    #expect(error?.description.contains(named) == true, "\(line): \(error?.description ?? "")")
  }

  @Test func `an id has at most 256 bytes`() throws {
    let longest = String(repeating: "é", count: 128)
    #expect(try Item(id: longest).id == longest)
    #expect(throws: CatalogueError.self) { try Item(id: longest + "x") }
  }

  @Test func `every aspect is written as a decimal that is read back`() throws {
    for units in (0..<200_000).map(UInt32.init) + [65_535_999, 65_536_000] {
      let decimal = Aspect(units: units).decimal
      let read = try #require(Double(decimal).flatMap { Aspect(ratio: $0) })
      #expect(read.units == units, "\(decimal)")
    }
  }

  @Test(arguments: [
    (65536, "1"), (0, "0"), (69698, "1.0635"), (32768, "0.5"), (1, "0.00002"), (98304, "1.5"),
  ])
  func `an aspect is written as its shortest decimal`(_ units: UInt32, _ decimal: String) {
    #expect(Aspect(units: units).decimal == decimal)
  }

  @Test(arguments: [
    (0, "0"), (1, "0.015625"), (32, "0.5"), (1024, "16"), (6_400_000, "100000"),
    (1025, "16.015625"),
  ])
  func `a width is written exactly`(_ units: Int64, _ decimal: String) throws {
    let item = try Item(id: "x", width: Length(units: units))
    #expect(String(decoding: item.json, as: UTF8.self).contains("\"width\":\(decimal),"))
    #expect(try Item(json: item.json) == item)
  }
}

struct NameTests {
  @Test(arguments: ["a", "0", "a-b", "tate", String(repeating: "x", count: 64)])
  func `a name of a strip is valid`(_ name: String) { #expect(StripName.isValid(name)) }

  @Test(arguments: ["", "-a", "A", "a b", "é", "a_b", String(repeating: "x", count: 65)])
  func `a name of a strip is not valid`(_ name: String) { #expect(!StripName.isValid(name)) }

  @Test(arguments: [
    ("on paper, unique", "on-paper-unique"), ("Painting", "painting"), ("2020", "card"),
    ("", "card"),
    ("  --Relief!! ", "relief"), ("é", "card"), ("3D print", "d-print"),
    (String(repeating: "ab", count: 20), String(repeating: "ab", count: 16)),
    (String(repeating: "a", count: 31) + " b", String(repeating: "a", count: 31)),
    (String(repeating: "a", count: 32) + " b", String(repeating: "a", count: 32)),
  ])
  func `the kind in a table becomes a slug`(_ text: String, _ name: String) {
    #expect(KindName.slug(from: text) == name)
  }

  @Test(arguments: [
    ("Blue Note, 1500 series", "blue-note-1500-series"), ("--1794--", "1794"), ("é", nil),
    ("", nil),
    (String(repeating: "1", count: 63) + " b", String(repeating: "1", count: 63)),
    (String(repeating: "1", count: 64) + " b", String(repeating: "1", count: 64)),
  ])
  func `the name of a strip in a table becomes a slug`(_ text: String, _ name: String?) {
    #expect(StripName.slug(from: text) == name)
  }

  @Test func `every slug of a kind is valid`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 32...126, using: &random)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let slug = KindName.slug(from: text)
      #expect(KindName.isValid(slug) && !slug.hasSuffix("-"), "\(text)")
    }
  }
}

struct StripSettingsTests {
  @Test func `the defaults are those of the contract`() throws {
    let settings = StripSettings(title: "x")
    try settings.check()
    #expect(settings.height == .px(180))
    #expect(settings.itemWidth == .px(160))
    #expect(settings.gap == .px(8) && settings.inset == .zero)
    #expect(!settings.loop)
  }

  @Test func `a setting out of its range is rejected and named`() {
    let wrong: [(String, (inout StripSettings) -> Void)] = [
      ("height", { $0.height = .px(15) }), ("height", { $0.height = .px(16385) }),
      ("gap", { $0.gap = .px(65537) }), ("inset", { $0.inset = .px(-1) }),
      ("itemWidth", { $0.itemWidth = .px(100_001) }),
    ]
    for (name, change) in wrong {
      var settings = StripSettings(title: "x")
      change(&settings)
      let error = #expect(throws: CatalogueError.self) { try settings.check() }
      #expect(error?.description.hasPrefix("\(name): ") == true)
    }
  }

  @Test func `declared fields are checked`() throws {
    func error(_ json: String) -> String? {
      do {
        _ = try SettingsPatch(json: Array(json.utf8)).applied(
          to: StripSettings(title: ""), of: "s")
        return nil
      } catch {
        return error.description
      }
    }
    let many = (0..<33).map { "\"\($0)\"" }.joined(separator: ",")
    #expect(error("{\"filterable\":[\(many)]}") == "filterable: it names 33 fields, more than 32")
    #expect(error("{\"filterable\":[\(many.dropLast(5))]}") == nil)
    #expect(error(#"{"searchable":["1","2","3","4","5","6","7","8"]}"#) == nil)
    #expect(
      error(#"{"searchable":["1","2","3","4","5","6","7","8","9"]}"#)
        == "searchable: it names 9 fields, more than 8")
    #expect(error(#"{"searchable":["a","a"]}"#) == "searchable: the field \"a\" is repeated")
    #expect(error(#"{"searchable":[""]}"#) == "searchable: \"\" is not the name of a field")
    #expect(error(#"{"searchable":"a"}"#) == "searchable: it is not an array")
    #expect(error(#"{"searchable":[1]}"#) == #"searchable: 1 is a number, not a string: write "1""#)
  }
}
