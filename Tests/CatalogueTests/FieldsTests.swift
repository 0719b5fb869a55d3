import Items
import Testing
import Views

struct FieldsTests {
  @Test func `the order of names and the spelling of numbers are preserved`() throws {
    let fields = try Fields(json: Array(#" { "b" : 1.50e+2 , "a":"x" ,"c":true} "#.utf8))
    #expect(String(decoding: fields.json, as: UTF8.self) == #"{"b":1.50e+2,"a":"x","c":true}"#)
    #expect(fields.pairs.map(\.name) == ["b", "a", "c"])
    #expect(fields["b"] == .number("1.50e+2"))
    #expect(fields["c"] == .boolean(true))
    #expect(fields["d"] == nil)
  }

  @Test func `fields with other escapes are equal bytes`() throws {
    let plain = try Fields(json: Array("{\"é\":\"a/b \u{1F600}\\n\"}".utf8))
    let escaped = try Fields(json: Array(#"{"\u00e9":"a\/b \ud83d\ude00\u000a"}"#.utf8))
    #expect(plain.json == escaped.json)
    #expect(plain["é"] == .string("a/b \u{1F600}\n"))
  }

  @Test func `names are compared as bytes`() throws {
    let fields = try Fields(json: Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
    #expect(fields["\u{E9}"] == .number("1"))
    #expect(fields["e\u{301}"] == .number("2"))
  }

  @Test func `names and values are read back`() throws {
    let pairs: [(name: String, value: Fields.Value)] = [
      ("quote\"", .string("\u{1}\u{8}\u{c}\t\r\n\\")), ("n", .number("-0.0")),
      ("f", .boolean(false)),
    ]
    let fields = try Fields(pairs)
    #expect(fields.pairs.map(\.name) == pairs.map(\.name))
    #expect(fields.pairs.map(\.value) == pairs.map(\.value))
    #expect(try Fields(json: fields.json) == fields)
  }

  @Test(arguments: [
    "", "{", "[]", "{}x", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":01}"#, #"{"a":1.}"#,
    #"{"a":.5}"#,
    #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":tru}"#, #"{"a":'x'}"#, #"{a:1}"#,
    #"{"a":"\x"}"#,
    #"{"a":"\u12"}"#, #"{"a":"\ud800"}"#, #"{"a":"\ud800\u0041"}"#, #"{"a":"\udc00"}"#,
    "{\"a\":\"\n\"}",
    #"{"a":"x}"#, #"{"a":NaN}"#, #"{"a":1 "b":2}"#,
  ])
  func `malformed JSON is rejected`(_ text: String) {
    #expect(throws: CatalogueError.self) { try Fields(json: Array(text.utf8)) }
  }

  @Test(arguments: [
    (#"{"a":null}"#, "fields.a"), (#"{"a":{}}"#, "fields.a"), (#"{"a":[1]}"#, "fields.a"),
    (#"{"a":"\u0000"}"#, "fields.a"), (#"{"a":1,"a":2}"#, "\"a\" is repeated"),
  ])
  func `an error names the member`(_ text: String, _ named: String) {
    let error = #expect(throws: CatalogueError.self) { try Fields(json: Array(text.utf8)) }
    #expect(error?.description.contains(named) == true)
  }

  @Test func `invalid UTF-8 is rejected`() {
    #expect(throws: CatalogueError.self) {
      try Fields(json: [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
    }
  }

  @Test func `fields can have 64 KiB`() throws {
    let name = #"{"a":""}"#.utf8.count
    let most = String(repeating: "x", count: Fields.maximumSize - name)
    #expect(try Fields([("a", .string(most))]).json.count == Fields.maximumSize)
    #expect(throws: CatalogueError.self) { try Fields([("a", .string(most + "x"))]) }
  }

  @Test func `a repeated name is found among thousands`() throws {
    var pairs = (0..<5000).map { (name: "n\($0)", value: Fields.Value.boolean(true)) }
    #expect(try Fields(pairs).pairs.count == 5000)
    pairs.append(("n4321", .boolean(false)))
    #expect(throws: CatalogueError.self) { try Fields(pairs) }
  }
}
