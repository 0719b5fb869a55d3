import HTTP
import Serving
import Testing

struct ParametersTests {
  private func query(_ pairs: (String, String)...) -> Query {
    Query(pairs.map { (name: Array($0.0.utf8)[...], value: Array($0.1.utf8)[...]) })
  }

  @Test func `names that begin alike are different names`() throws {
    let names: [StaticString] = ["filterable", "filterin", "filterings"]
    let parameters = try Parameters(
      query(("filterings", "a"), ("filterable", "b"), ("filterin", "c")), known: names)
    #expect(parameters.text("filterable") == "b")
    #expect(parameters.text("filterings") == "a")
    #expect(parameters.text("filterin") == "c")
    for unknown in ["filterablf", "filterabl", "filterables", "filteri", ""] {
      let problem = #expect(throws: Problem.self) {
        try Parameters(query((unknown, "a")), known: names)
      }
      #expect(problem?.parameter == unknown)
    }
    #expect(throws: Problem.self) {
      try Parameters(query(("filterable", "a"), ("filterable", "b")), known: names)
    }
  }
}
