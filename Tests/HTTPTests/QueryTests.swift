import Testing

@testable import HTTP

@Suite struct QueryTests {
  private func query(_ text: String) throws -> Query {
    try Query(Request(.get, "/?\(text)"))
  }

  @Test func `Pairs are decoded and keep their order`() throws {
    let query = try query("b=1%202&a=x+y&c&=d&&e=f=g")
    #expect(
      query.pairs.map { "\($0.name.text)|\($0.value.text)" } == [
        "b|1 2", "a|x y", "c|", "|d", "e|f=g",
      ])
  }

  @Test func `An empty value counts as absent`() throws {
    let query = try query("a=&b&c=1")
    #expect(query["a"] == nil)
    #expect(query["b"] == nil)
    #expect(query["c"]?.text == "1")
    #expect(query["d"] == nil)
  }

  @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%ff", "a=%00", "a=%c3"])
  func `A value that is not percent-encoded text names its parameter`(_ text: String) throws {
    let problem = #expect(throws: Problem.self) { try query(text) }
    #expect(problem?.status == 400)
    #expect(problem?.parameter == "a")
  }

  @Test func `A parameter that is unknown or given twice is named`() throws {
    let unknown = #expect(throws: Problem.self) {
      try Query(Request(.get, "/?a=1&z=2"), allowing: ["a", "b"])
    }
    #expect(unknown?.parameter == "z")
    let twice = #expect(throws: Problem.self) {
      try Query(Request(.get, "/?a=1&b=2&%61="), allowing: ["a", "b"])
    }
    #expect(twice?.parameter == "a")
  }
}
