package import Catalogue
package import RandomTesting

/// Random batches of edits for a strip whose ids the caller passes.
package struct RandomEdits {
  package var random: SeededRandom
  private var made = 0

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// A batch of up to `count` operations. Some batches cannot be applied.
  package mutating func batch(for ids: [String], upTo count: Int) throws -> EditBatch {
    var ids = ids
    let operations = (0..<Int.random(in: 1...count, using: &random)).map { _ in
      operation(&ids)
    }
    return try EditBatch(Array("[\(operations.joined(separator: ","))]".utf8), as: .array)
  }

  private mutating func operation(_ ids: inout [String]) -> String {
    switch ids.isEmpty ? 0 : Int.random(in: 0..<7, using: &random) {
    case 0, 1:
      let new = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        made += 1
        return "new-\(made)"
      }
      let items = new.map { #"{"id":"\#($0)",\#(member())}"# }.joined(separator: ",")
      let operation = #"{"op":"insert",\#(place(ids, but: [])),"items":[\#(items)]}"#
      ids += new
      return operation
    case 2, 3:
      let id = ids.randomElement(using: &random) ?? ""
      return #"{"op":"update","id":"\#(id)","set":{\#(change())}}"#
    case 4, 5:
      let moved = some(of: ids)
      return #"{"op":"move","ids":\#(list(moved)),\#(place(ids, but: moved))}"#
    default:
      let gone = some(of: ids)
      ids.removeAll { gone.contains($0) }
      return #"{"op":"remove","ids":\#(list(gone))}"#
    }
  }

  private mutating func some(of ids: [String]) -> [String] {
    let start = Int.random(in: 0..<ids.count, using: &random)
    let run = ids[start..<min(ids.count, start + Int.random(in: 1...5, using: &random))]
    return run.shuffled(using: &random)
  }

  private mutating func place(_ ids: [String], but moved: [String]) -> String {
    let word = Bool.random(using: &random) ? "before" : "after"
    guard Int.random(in: 0..<8, using: &random) > 0,
      let id = ids.filter({ !moved.contains($0) }).randomElement(using: &random)
    else { return #""\#(word)":null"# }
    return #""\#(word)":"\#(Int.random(in: 0..<60, using: &random) == 0 ? "none" : id)""#
  }

  private mutating func member() -> String {
    let number = Int.random(in: 0..<1000, using: &random)
    return [
      #""width":\#(number)"#, #""aspect":0.5"#, #""group":"G\#(number % 3)""#,
      #""kind":"kind-\#(number % 4)""#, #""fields":{"title":"T\#(number)","n":\#(number).50}"#,
    ].randomElement(using: &random) ?? ""
  }

  /// A member, or what takes one away.
  private mutating func change() -> String {
    [
      member(), member(), #""group":null,"aspect":null"#, #""fields":null"#,
      #""fields":{"title":null,"odd":true,"title\u0301":"e\u0301"}"#, "",
    ].randomElement(using: &random) ?? ""
  }

  private func list(_ ids: [String]) -> String {
    "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }
}
