import HTTP
import Testing

@Suite struct QueryTests {
  private func query(_ text: String) throws -> Query {
    try Query(Request(.get, "/?\(text)"))
  }

  @Test func `pairs are decoded and keep their order`() throws {
    let query = try query("b=1%202&a=x+y&c&=d&&e=f=g")
    #expect(
      query.map { "\($0.name.text)|\($0.value.text)" } == ["b|1 2", "a|x y", "c|", "|d", "e|f=g"])
  }

  @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%ff", "a=%00", "a=%c3"])
  func `malformed percent-encoding is 400 and names the parameter`(_ text: String) throws {
    let problem = #expect(throws: Problem.self) { try query(text) }
    #expect(problem?.status == 400)
    #expect(problem?.parameter == "a")
  }

  @Test func `the value of an ignored parameter need not be valid`() throws {
    let query = try Query(Request(.get, "/?v=%00&a=1&va=2&v=%"), ignoring: "v")
    #expect(query.map { "\($0.name.text)|\($0.value.text)" } == ["v|", "a|1", "va|2", "v|"])
    #expect(throws: Problem.self) { try Query(Request(.get, "/?va=%00"), ignoring: "v") }
  }
}
