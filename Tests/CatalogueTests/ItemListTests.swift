import Catalogue
import Cryptography
import Testing

struct ItemListTests {
  private func list(_ json: String) throws -> ItemList { try ItemList(json: Array(json.utf8)) }

  @Test func `its name is the SHA-256 of the compact JSON in base64url`() throws {
    // printf '["a6","a1"]' | openssl dgst -sha256 -binary | basenc --base64url
    #expect(try list(#"["a6","a1"]"#).name == "2hR-qWYgh6dQm7OQl2A8MVZDiqIKd-T8nr693PtoV5M")
    #expect(
      try list(" [ \"a6\" ,\n\"\\u0061\\u0031\" ] ").name
        == "2hR-qWYgh6dQm7OQl2A8MVZDiqIKd-T8nr693PtoV5M")
    #expect(try list(#"["é\"\\/"]"#).name == "xAQUTKxeiAQn7GaqG0TPKvEOSOA3tGOAwAehKaH11CI")
    #expect(ViewQuery.isListName(try list(#"["x"]"#).name))
  }

  @Test func `the order and the bytes of ids are preserved`() throws {
    #expect(
      try list("[\"\u{E9}\",\"e\u{301}\",\"a\"]").ids.map { Array($0.utf8) }
        == [[0xC3, 0xA9], [0x65, 0xCC, 0x81], [0x61]])
  }

  @Test func `ids that begin alike are different`() throws {
    let ids = (0..<600).map { String(repeating: "a", count: $0 % 200 + 1) + String($0) }
    let list = try list("[\(ids.map { "\"\($0)\"" }.joined(separator: ", "))]")
    #expect(list.ids == ids)
    #expect(list.count == 600)
    #expect(throws: CatalogueError.invalid("the list: the id \"\"\" is repeated")) {
      try self.list(#"["\"", "a", "\u0022"]"#)
    }
  }

  @Test func `any strings of an array can be read`() throws {
    let texts = ["", "a", "a", "\n", String(repeating: "x", count: 300)]
    let json = #"["", "a","a" ,"\n","\#(texts[4])"]"#
    #expect(try ItemList.strings(json: Array(json.utf8)) == texts)
    #expect(try ItemList.strings(json: Array("[]".utf8)) == [])
    #expect(throws: CatalogueError.self) { try ItemList.strings(json: Array("[1]".utf8)) }
  }

  @Test(arguments: [
    ("[]", "the list is empty"), (#"["a","b","a"]"#, "the list: the id \"a\" is repeated"),
    ("{}", "the list: it is not an array"), ("[1]", "the list: it is not a string"),
    (#"[""]"#, "id: it has 0 bytes, not 1 to 256"),
    (#"["\n"]"#, "id: \"\u{FFFD}\" contains a control character"),
    ("[\"a\"", "it is not JSON: \",\" or \"]\" is expected at byte 5"),
    ("[\"a\"] x", "it is not JSON: the end is expected at byte 7"),
  ])
  func `another value is rejected`(json: String, error: String) {
    #expect(throws: CatalogueError.invalid(error)) { try list(json) }
  }

  @Test func `it has at most 100,000 ids`() throws {
    let ids = (0...100_000).map { "\"\($0)\"" }
    #expect(try list("[\(ids.dropLast().joined(separator: ","))]").ids.count == 100_000)
    #expect(throws: CatalogueError.invalid("the list has more than 100000 ids")) {
      try list("[\(ids.joined(separator: ","))]")
    }
  }
}
