import Cryptography
import Items
import RandomTesting
import Testing
import Views

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
    ("{}", "the list: it is not an array"),
    ("[1]", #"an id of the list: 1 is a number, not a string: write "1""#),
    (#"[["a"]]"#, "an id of the list: it is an array, not a string"),
    ("[{}]", "an id of the list: it is an object, not a string"),
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

  // MARK: - In parts

  private enum Outcome: Equatable {
    case list([UInt8], count: Int)
    case error(CatalogueError)
  }

  private func outcome(_ read: () throws(CatalogueError) -> ItemList) -> Outcome {
    do throws(CatalogueError) {
      let list = try read()
      return .list(list.json, count: list.count)
    } catch {
      return .error(error)
    }
  }

  /// Reads `text` in parts that end at `ends`, which are in order.
  private func outcome(of text: [UInt8], cutAt ends: [Int]) -> Outcome {
    var reader = ItemListReader(expecting: text.count)
    var start = 0
    var isSmall = true
    for end in ends + [text.count] {
      text[start..<end].withUnsafeBytes { reader.read($0) }
      start = end
      isSmall = isSmall && reader.size <= end
    }
    #expect(isSmall, "It holds at most what has arrived.")
    return outcome { () throws(CatalogueError) in try reader.finish() }
  }

  private static let texts = [
    #" [ "a6" ,"\u00e9\"\\\/" , "\ud83d\ude00", "é€😀\u00E9", "0" ] "#, #"["a"]"#, "[]", " ", "",
    #"["a","b","\u0061"]"#, #"["\ud83d\n"]"#, #"["a\q"]"#, #"["a", "\u00g0"]"#, #"["a","\ud83d"]"#,
    #"["a"] x"#, #"["a"]]"#, #"["a",]"#, #"[,"a"]"#, #"["a" "b"]"#, #"["a","b"#, #"["a\"#,
    #"["a","#,
    #"["a""#, #"["a",1.5]"#, #"["a",-]"#, #"["a",-12e3,true]"#, #"["a",true]"#, #"["a",tru]"#,
    #"["a",nul"#, #"["a",{}]"#, #"["a",[]]"#, #"{"a":1}"#, #""a""#, "[\"a\u{1}\"]",
    "[\"é\u{7F}€\"]",
    #"["","a"]"#, "[\"a\",\n\t\r\"b\"]",
  ]

  @Test(arguments: texts)
  func `a list that arrives in parts is the same`(_ text: String) {
    let text = Array(text.utf8)
    let whole = outcome { () throws(CatalogueError) in try ItemList(json: text) }
    for first in 0...text.count {
      for second in first...text.count {
        #expect(outcome(of: text, cutAt: [first, second]) == whole, "cut at \(first), \(second)")
      }
    }
    #expect(outcome(of: text, cutAt: Array(0..<text.count)) == whole, "single bytes")
  }

  @Test(arguments: 0..<40)
  func `random texts in random parts are the same lists`(_ seed: Int) {
    var random = SeededRandom(seed: seed)
    let pieces = ["a", "7", "\\n", "\\\"", "\\u20AC", "\\ud83d\\ude00", "é", "€", "😀", "\\/", " "]
    for _ in 0..<8 {
      let ids = (0..<random.pick(1...300)).map { number in
        let letters = (0..<random.pick(0...8)).map { _ in pieces[random.next(below: pieces.count)] }
        return "\"\(letters.joined())\(random.once(in: 2000) ? "" : String(number))\""
      }
      var text = Array("[\(ids.joined(separator: random.once(in: 2) ? "," : " ,\n"))]".utf8)
      if random.once(in: 3) {
        text[random.next(below: text.count)] =
          [0x22, 0x5C, 0x2C, 0x5D, 0x09, 0x31][random.pick(0...5)]
      }
      let whole = outcome { () throws(CatalogueError) in try ItemList(json: text) }
      // Cut within characters, too. A broken character can come after another error.
      let ends = (0..<random.pick(0...20)).map { _ in random.next(below: text.count) }.sorted()
      let parts = outcome(of: text, cutAt: ends)
      if String(validating: text, as: UTF8.self) == nil, case .error = whole, case .error = parts {
        continue
      }
      #expect(parts == whole, "seed \(seed), cut at \(ends)")
    }
  }

  @Test(arguments: [
    [0x22, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0xFF, 0x22], [0xC3],
    [0x22, 0x80, 0x80, 0x80, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
  ])
  func `a broken character is found in whatever part it is`(_ broken: [UInt8]) {
    let text = Array("[\"a\",".utf8) + broken + Array("]".utf8)
    for cut in 0...text.count {
      #expect(
        outcome(of: text, cutAt: [cut]) == .error(.invalid("the text is not valid UTF-8")),
        "cut at \(cut)")
    }
  }

  @Test func `a reader holds no spaces, no needless escapes, no long text and no invalid list`() {
    func size(after parts: [String]) -> Int {
      var reader = ItemListReader(expecting: 51_500_000)
      for part in parts { Array(part.utf8).withUnsafeBytes { reader.read($0) } }
      return reader.size
    }
    let spaces = String(repeating: " ", count: 10_000)
    // The last character may be cut.
    #expect(size(after: ["[", spaces, "\"a\",", spaces]) == 5 + 1)
    #expect(size(after: ["[\"\\u0061", "\\u0062\",\"c\"", spaces, "]", spaces]) == 10 + 1)
    let part = String(repeating: "x", count: 1000)
    #expect(size(after: ["[\""] + Array(repeating: part, count: 10)) == 0)
    #expect(size(after: ["[\"a\",1] "] + Array(repeating: part, count: 10)) == 0)
  }

  @Test func `an id that is much too long is rejected before its end`() {
    let text = Array("[\"\(String(repeating: "x", count: 5000))\"]".utf8)
    #expect(outcome(of: text, cutAt: [4000]) == .error(.invalid("id: it has more than 256 bytes")))
    #expect(outcome(of: text, cutAt: []) == .error(.invalid("id: it has 5000 bytes, not 1 to 256")))
    let longest = String(repeating: "\\u0061", count: 255)
    let list = Array("[\"\(longest)b\",\"\(longest)c\"]".utf8)
    #expect(
      outcome(of: list, cutAt: Array(0..<list.count))
        == outcome { () throws(CatalogueError) in try ItemList(json: list) })
  }
}
