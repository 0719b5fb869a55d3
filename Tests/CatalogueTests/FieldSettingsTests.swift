import Items
import Testing
import Views
import Windowing

/// The setting `fields`.
struct FieldSettingsTests {
  private static let price =
    #"{"price":{"format":"currency","label":{"de":"Preis","en":"Price"},"unit":"EUR"}}"#

  private func settings(_ patches: String...) throws -> StripSettings {
    var settings = StripSettings(title: "s")
    for patch in patches {
      settings = try SettingsPatch(json: Array("{\"fields\":\(patch)}".utf8))
        .applied(to: settings, of: "s")
    }
    return settings
  }

  @Test func `equal settings have equal JSON, in the order of names`() throws {
    let json = #"{"b":{"unit":"cm"}, "a":{"label":{"fr":"\u0041","de":"B"},"format":"date"}}"#
    let fields = try settings(json).fields
    #expect(
      fields.json == #"{"a":{"format":"date","label":{"de":"B","fr":"A"}},"b":{"unit":"cm"}}"#)
    #expect(try settings(fields.json).fields == fields)
    #expect(FieldSettings().json == "{}")
    #expect(try settings("{}").fields == FieldSettings())
  }

  @Test func `settings are read from their JSON`() throws {
    var all = StripSettings(title: "Größe \"1\"")
    #expect(try StripSettings(json: all.json) == all)
    all.height = Length(units: 12_801)
    all.loop = true
    all.layout = .rows
    all.cellAspect = Aspect(units: 43_691)
    all.filterable = ["artist", "year"]
    all.fields = try settings(Self.price).fields
    all.itemHeights = try SettingsPatch(json: Array(#"{"itemHeights":{"spacer":24.5}}"#.utf8))
      .applied(to: all, of: "s").itemHeights
    let read = try StripSettings(json: all.json)
    #expect(read == all)
    #expect(read.json == all.json)
  }

  @Test(
    arguments: [
      ("{}", price), ("null", "{}"), (#"{"price":null}"#, "{}"), (#"{"none":null}"#, price),
      (#"{"price":{"label":{"de":null}}}"#, price.replacing(#""de":"Preis","#, with: "")),
      (
        #"{"price":{"label":"Cost"}}"#,
        price.replacing(#"{"de":"Preis","en":"Price"}"#, with: #""Cost""#)
      ),
      (
        #"{"price":{"unit":null,"format":"number"}}"#,
        #"{"price":{"format":"number","label":{"de":"Preis","en":"Price"}}}"#
      ), (#"{"a":{"label":"A"}}"#, #"{"a":{"label":"A"},"# + price.dropFirst()),
    ])
  func `a change is a JSON Merge Patch`(patch: String, expected: String) throws {
    #expect(try settings(Self.price, patch).fields.json == expected)
  }

  @Test func `names compare as bytes`() throws {
    let json = "{\"e\u{301}\":{\"label\":\"2\"},\"\u{E9}\":{\"label\":\"1\"}}"
    let fields = try settings(json).fields
    #expect(fields.label(of: "\u{E9}", in: nil) == "1")
    #expect(fields.label(of: "e\u{301}", in: nil) == "2")
  }

  @Test(
    arguments: [
      ("7", "fields: it is not an object"), ("\"x\"", "fields: it is not an object"),
      (#"{"a":"b"}"#, "fields.a: it is not an object"),
      (#"{"a":{"label":7}}"#, "fields.a.label: it is not an object"),
      (#"{"a":{"label":{"de":{}}}}"#, "fields.a.label.de: it is an object, not a string"),
      (#"{"a":{"label":""}}"#, "fields.a.label: it is empty"),
      (#"{"a":{"label":{"de":"\u0000"}}}"#, "fields.a.label.de: it is empty, or contains a NUL"),
      (#"{"a":{"unit":{"d":"x"}}}"#, "fields.a.unit: \"d\" is not the tag of a language"),
      (#"{"a":{"label":{"de_CH":"x"}}}"#, "fields.a.label: \"de_CH\" is not the tag of a language"),
      (
        #"{"a":{"format":"money"}}"#, "fields.a.format: must be one of number, currency, date, text"
      ),
      (#"{"a":{"name":"x"}}"#, "fields.a.name: must be label, unit or format"),
      (#"{"a":{"format":"currency"}}"#, "fields.a.unit: must be three capital letters"),
      (
        #"{"a":{"format":"currency","unit":"eur"}}"#, "fields.a.unit: must be three capital letters"
      ), (#"{"":{}}"#, "fields: \"\" is not the name of a field"),
      (#"{"a":{},"a":{}}"#, "the member \"a\" is repeated"),
    ])
  func `a wrong member is named`(json: String, message: String) {
    let error = #expect(throws: CatalogueError.self) { try settings(json) }
    #expect(error.map { "\($0)" }?.hasPrefix(message) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func `they have at most 16 KiB`() throws {
    func fields(_ count: Int) -> String {
      "{\"a\":{\"label\":\"\(String(repeating: "x", count: count - 18))\"}}"
    }
    #expect(try settings(fields(16_384)).fields.json.utf8.count == 16_384)
    let error = #expect(throws: CatalogueError.self) { try settings(fields(16_385)) }
    #expect(error.map { "\($0)" } == "fields: it has 16385 bytes, more than 16384")
  }
}
