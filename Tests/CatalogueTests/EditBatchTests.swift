import Catalogue
import Testing

struct EditBatchTests {
  private func fault(_ text: String, _ form: EditBatch.Form, file: String? = nil) -> String? {
    do {
      _ = try EditBatch(Array(text.utf8), as: form, file: file)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    (#"[{"op":"remove","ids":["a"]},{"op":"remove"}]"#, "operation 2 (remove): ids: there is none"),
    (#"[{"op":"jump"}]"#, "operation 1 (jump): op: \"jump\" is not insert, update, move or remove"),
    (#"[{"ids":["a"]}]"#, "operation 1: op: it is missing"),
    (
      #"[{"op":"update","id":"a","set":{"id":"b"}}]"#,
      "operation 1 (update): set: \"id\" is no member that can be set"
    ),
    (
      #"[{"op":"remove","ids":["a"],"set":{}}]"#,
      "operation 1 (remove): set: it takes no such member, only ids"
    ),
    (
      #"[{"op":"move","ids":["a"],"id":"b"}]"#,
      "operation 1 (move): id: it takes no such member, only ids, before, after"
    ),
    (
      #"[{"op":"move","ids":["a"],"to":"b"}]"#,
      "operation 1 (move): \"to\" is none of op, items, before, after, id, ids, set"
    ),
    (#"[{"op":"remove","ids":["a"]},1]"#, "operation 2: it is no JSON object"),
    (#"["remove"]"#, "operation 1: it is no JSON object"),
    ("[]", "the batch holds no operation"), ("{}", "the batch: it is no array"),
  ])
  func namesTheOperationAtFault(_ text: String, _ sentence: String) {
    #expect(fault(text, .array) == sentence)
  }

  @Test func namesTheLineOfAFile() {
    let array = "[\n{\"op\":\"remove\",\"ids\":[\"a\"]},\n\n{\"op\":\"remove\",\"ids\":[]}]"
    #expect(
      fault(array, .array, file: "x.json") == "x.json:4: operation 2 (remove): ids: there is none")
    let lines = "{\"op\":\"remove\",\"ids\":[\"a\"]}\n\n{\"op\":\"remove\",\"ids\":[]}\n"
    #expect(
      fault(lines, .lines, file: "x.jsonl") == "x.jsonl:3: operation 2 (remove): ids: there is none"
    )
    #expect(fault("[1", .array, file: "x.json")?.hasPrefix("x.json:1: ") == true)
  }

  @Test func mergesAPatchIntoAnItem() throws {
    let item = try Item(
      json: Array(#"{"id":"a","kind":"k","width":9,"fields":{"t":"A","n":1.50,"c":"red"}}"#.utf8))
    func patched(_ set: String) throws -> String {
      var items = NaiveItems(items: [item])
      try EditBatch(Array(#"[{"op":"update","id":"a","set":\#(set)}]"#.utf8), as: .array)
        .apply(to: &items)
      return String(decoding: items.items[0].json, as: UTF8.self)
    }
    #expect(
      try patched(#"{"fields":{"c":null,"t":"B","x":true},"kind":null,"aspect":1}"#)
        == #"{"id":"a","kind":"card","aspect":1,"width":9,"fields":{"t":"B","n":1.50,"x":true}}"#)
    #expect(
      try patched(#"{"fields":null,"width":null,"group":"G"}"#)
        == #"{"id":"a","kind":"k","group":"G","fields":{}}"#)
    #expect(try patched("{}") == String(decoding: item.json, as: UTF8.self))
    #expect(
      try patched(#"{"fields":{"t":"\u00e9\/\"\u0001","n":-0.0}}"#)
        == #"{"id":"a","kind":"k","width":9,"fields":{"t":"é/\"\u0001","n":-0.0,"c":"red"}}"#)
    // What the fields take beside the text: {"t":"","n":1.50,"c":"red"}
    let most = String(repeating: "x", count: Fields.maximumSize - 27)
    #expect(try patched(#"{"fields":{"t":"\#(most)"}}"#).contains(most))
    #expect(throws: CatalogueError.self) { try patched(#"{"fields":{"t":"\#(most)x"}}"#) }
  }

  @Test func readsNothingItCannotRead() {
    var random = SeededRandom(seed: 11)
    let text = Array(
      #"[{"op":"insert","before":null,"items":[{"id":"é\u00e9","fields":{"a":[1]}}]},{"op":"x"}]"#
        .utf8)
    for _ in 0..<3000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      for form in [EditBatch.Form.array, .lines] {
        #expect(throws: CatalogueError.self) { try EditBatch(bytes, as: form) }
      }
    }
  }
}
