import Catalogue
import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views

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
    (
      #"[{"op":"remove","ids":["a"]},{"op":"remove"}]"#,
      "operation 2 (remove): ids: at least one is required"
    ),
    (#"[{"op":"jump"}]"#, "operation 1 (jump): op: \"jump\" is not insert, update, move or remove"),
    (#"[{"ids":["a"]}]"#, "operation 1: op: it is missing"),
    (
      #"[{"op":"update","id":"a","set":{"id":"b"}}]"#,
      "operation 1 (update): set: \"id\" is not one of kind, aspect, width, group, fields"
    ),
    (
      #"[{"op":"remove","ids":["a"],"set":{}}]"#,
      "operation 1 (remove): set: the operation takes only ids"
    ),
    (
      #"[{"op":"move","ids":["a"],"id":"b"}]"#,
      "operation 1 (move): id: the operation takes only ids, before, after"
    ),
    (
      #"[{"op":"move","ids":["a"],"to":"b"}]"#,
      "operation 1 (move): \"to\" is not one of op, items, before, after, id, ids, set"
    ),
    (#"[{"op":"remove","ids":["a"]},1]"#, "operation 2: it is not a JSON object"),
    (#"["remove"]"#, "operation 1: it is not a JSON object"),
    ("[]", "the edit has no operations"), ("{}", "the batch: it is not an array"),
  ])
  func `an error names the operation`(_ text: String, _ sentence: String) {
    #expect(fault(text, .array) == sentence)
  }

  @Test func `an error names the file and the line`() {
    let array = "[\n{\"op\":\"remove\",\"ids\":[\"a\"]},\n\n{\"op\":\"remove\",\"ids\":[]}]"
    #expect(
      fault(array, .array, file: "x.json")
        == "x.json:4: operation 2 (remove): ids: at least one is required")
    let lines = "{\"op\":\"remove\",\"ids\":[\"a\"]}\n\n{\"op\":\"remove\",\"ids\":[]}\n"
    #expect(
      fault(lines, .lines, file: "x.jsonl")
        == "x.jsonl:3: operation 2 (remove): ids: at least one is required"
    )
    #expect(fault("[1", .array, file: "x.json")?.hasPrefix("x.json:1: ") == true)
  }

  @Test(arguments: [EditBatch.Form.array, .lines])
  func `a byte order mark is skipped`(form: EditBatch.Form) {
    let operation = #"{"op":"remove","ids":["a"]}"#
    #expect(fault("\u{FEFF}" + (form == .array ? "[\(operation)]" : operation), form) == nil)
  }

  @Test func `an update is a merge patch of the item`() throws {
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
    // 27 is the size of {"t":"","n":1.50,"c":"red"}.
    let most = String(repeating: "x", count: Fields.maximumSize - 27)
    #expect(try patched(#"{"fields":{"t":"\#(most)"}}"#).contains(most))
    #expect(throws: CatalogueError.self) { try patched(#"{"fields":{"t":"\#(most)x"}}"#) }
  }

  @Test func `damaged JSON is rejected`() {
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

/// The batch that takes an edit back.
extension EditBatchTests {
  private func undo(_ text: String, of items: [Item], limit: Int = .max) throws -> String {
    var items = NaiveItems(items: items)
    let undo = try EditBatch(Array(text.utf8), as: .array).apply(to: &items, undoLimit: limit)
    return String(decoding: undo, as: UTF8.self)
  }

  private func letters() throws -> [Item] { try "abcde".map { try Item(id: String($0)) } }

  @Test(arguments: [
    (
      #"[{"op":"insert","after":"a","items":[{"id":"x"},{"id":"\""}]}]"#,
      #"[{"op":"remove","ids":["x","\""]}]"#
    ),
    (
      #"[{"op":"remove","ids":["d","e","a"]}]"#,
      #"[{"op":"insert","before":null,"items":[{"id":"d","kind":"card","fields":{}},{"id":"e","kind":"card","fields":{}}]},{"op":"insert","before":"b","items":[{"id":"a","kind":"card","fields":{}}]}]"#
    ),
    (
      #"[{"op":"move","ids":["e","b","c"],"before":"a"}]"#,
      #"[{"op":"move","ids":["e"],"before":null},{"op":"move","ids":["b","c"],"before":"d"}]"#
    ),
    (
      #"[{"op":"update","id":"a","set":{"width":5,"fields":{"t":1}}},{"op":"remove","ids":["c"]}]"#,
      #"[{"op":"insert","before":"d","items":[{"id":"c","kind":"card","fields":{}}]},{"op":"update","id":"a","set":{"width":null,"fields":{"t":null}}}]"#
    ),
    (#"[{"op":"update","id":"a","set":{}}]"#, #"[{"op":"update","id":"a","set":{}}]"#),
  ])
  func `an undo has the inverse operations in reverse order`(_ edit: String, _ undo: String) throws
  {
    #expect(try self.undo(edit, of: letters()) == undo)
  }

  @Test func `fields that come back stand where they stood`() throws {
    let item = try Item(json: Array(#"{"id":"a","fields":{"x":1.50,"y":true,"z":"é"}}"#.utf8))
    func undo(_ fields: String) throws -> String {
      try self.undo(#"[{"op":"update","id":"a","set":{"fields":\#(fields)}}]"#, of: [item])
    }
    #expect(
      try undo(#"{"x":1.5,"w":0}"#)
        == #"[{"op":"update","id":"a","set":{"fields":{"w":null,"x":1.50}}}]"#)
    #expect(try undo(#"{"z":null}"#) == #"[{"op":"update","id":"a","set":{"fields":{"z":"é"}}}]"#)
    let whole = #"{"op":"update","id":"a","set":{"fields":{"x":1.50,"y":true,"z":"é"}}}"#
    let clearing = #"{"op":"update","id":"a","set":{"fields":null}}"#
    #expect(try undo(#"{"x":null}"#) == "[\(clearing),\(whole)]")
    // Strings of Swift's are equal then, and their bytes are not.
    #expect(try undo(#"{"z":"e\u0301"}"#) == "[\(clearing),\(whole)]")
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `an undo gives the items before the edit, with the same JSON`(_ seed: UInt64) throws {
    var items = NaiveItems(items: try randomItems(12, seed: seed))
    // Ids in `RandomEdits` are not escaped.
    items.items = try items.items.enumerated().map { index, item in
      try Item(
        id: "i\(index)", kind: item.kind, aspect: item.aspect, width: item.width,
        group: item.group, fields: item.fields)
    }
    var edits = RandomEdits(seed: seed)
    var count = 0
    for turn in 0..<60 {
      let before = items
      let batch = try edits.batch(for: items.items.map(\.id), upTo: 8)
      guard let undo = try? batch.apply(to: &items, undoLimit: .max) else {
        items = before
        continue
      }
      count += 1
      var restored = items
      let redo = try EditBatch(undo, as: .array).apply(to: &restored, undoLimit: .max)
      try #require(
        restored.items.map(\.json) == before.items.map(\.json), "seed \(seed), turn \(turn)")
      try EditBatch(redo, as: .array).apply(to: &restored)
      try #require(
        restored.items.map(\.json) == items.items.map(\.json), "seed \(seed), turn \(turn)")
    }
    #expect(count > 10)
  }

  @Test func `an undo has a limit`() throws {
    let edit = #"[{"op":"move","ids":["b"],"before":null},{"op":"remove","ids":["a"]}]"#
    let undo = try undo(edit, of: letters())
    #expect(try self.undo(edit, of: letters(), limit: undo.utf8.count) == undo)
    let error = #expect(throws: CatalogueError.self) {
      try self.undo(edit, of: letters(), limit: undo.utf8.count - 1)
    }
    #expect(
      error?.description
        == "operation 2 (remove): undo: the batch that takes the edit back has more than "
        + "\(undo.utf8.count - 1) bytes, its limit")
  }
}
