import CatalogueTesting
import Items
import Testing
import Views

struct ViewQueryTests {
  private func query(
    filter: String = "", search: String = "", sort: String = ""
  ) throws -> ViewQuery {
    var query = ViewQuery()
    try query.set(.filter, to: filter)
    try query.set(.search, to: search)
    try query.set(.sort, to: sort)
    return query
  }

  private func ids(
    _ fields: [[(name: String, value: Fields.Value)]], _ query: ViewQuery,
    searchable: [FieldName] = ["t"]
  ) throws -> [String] {
    let items = try fields.enumerated().map { try Item(id: "\($0)", fields: Fields($1)) }
    return try query.items(of: items, searchable: searchable).map(\.id)
  }

  // MARK: - Words

  @Test(arguments: [
    ("J. M. W. Turner’s CAFÉ", ["j", "m", "w", "turner", "s", "turners", "cafe"]),
    ("cafe\u{301}", ["cafe"]), ("x₂ Ⅷ ½", ["x2", "viii", "1", "2"]),
    ("ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]),
    ("İstanbul ISTANBUL", ["istanbul", "istanbul"]), ("Straße", ["strasse"]),
    ("한국", ["\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"]), ("a_b-c", ["a", "b", "c", "bc"]),
    ("\u{301}", []), ("", []), ("!?", []), ("a≠b", ["a", "b"]), ("a=\u{338}b", ["a", "b"]),
    ("日本語 テキスト", ["日本語", "テキスト"]), ("हिन्दी", ["ह\u{93F}नद\u{940}"]), ("1.50", ["1", "50", "150"]),
    ("ﬁ", ["fi"]), ("Å\u{212B}\u{212A}", ["aak"]),
  ])
  func `words are folded`(text: String, words: [String]) {
    #expect(WordTokenizer.folded(of: text.utf8) == words.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("blue", true), ("BLU", true), ("ki", true), ("kind blu", true), ("blu kind", false),
    ("of", true),
    ("kind o ", false), ("kind ", true), ("lue", false), ("", true), (" ", true), ("!", true),
    ("kind-of blue!", true), ("éx", true), ("kind of kind", true), ("blue 1959", true),
    ("195 ", false), ("1959.", true),
  ])
  func `a search matches whole words, and the last one as a prefix`(
    text: String, isMatch: Bool
  )
    throws
  {
    let words = ["Kind of Blue", "1959", "Éx"].flatMap { WordTokenizer.folded(of: $0.utf8) }
    #expect(try Search(text).matches(words) == isMatch)
  }

  @Test(arguments: [
    ("  Kind   OF blue ", "kind of blue "), ("Café!", "cafe"), ("?", " "), (" ", " "),
    ("a\u{301} ", "a "),
    ("b,", "b"),
  ])
  func `the canonical spelling of a search`(text: String, canonical: String) throws {
    let search = try Search(text)
    #expect(search.description == canonical)
    #expect(try Search(canonical) == search)
  }

  @Test func `a search that is longer when folded keeps its spelling`() throws {
    let text = String(repeating: "한", count: 85)
    #expect(try Search(text).description == text)
    #expect(try Search(text).terms.map(\.word.count) == [85 * 9])
    #expect(throws: CatalogueError.invalid("q: it has 257 bytes, more than 256")) {
      try Search(text + "ab")
    }
  }

  @Test func `an item without searchable fields matches only a search without words`() throws {
    #expect(try ids([[("x", .string("blue"))]], query(search: "blue")) == [])
    #expect(try ids([[("x", .string("blue"))]], query(search: "!")) == ["0"])
  }

  // MARK: - Sorting

  private let mixed: [[(name: String, value: Fields.Value)]] = [
    [("v", .string("b"))], [("v", .number("10"))], [], [("v", .string("9"))],
    [("v", .boolean(true))], [("v", .number("1e1"))], [("v", .string("B"))], [],
    [("v", .string("007"))], [("v", .string("é"))],
  ]

  @Test
  func `numbers come first, then text by bytes, then absent, and equal items keep their order`()
    throws
  {
    #expect(try ids(mixed, query(sort: "v")) == ["3", "1", "5", "8", "6", "0", "4", "9", "2", "7"])
  }

  @Test func `descending is the reverse, but absent stays last`() throws {
    #expect(
      try ids(mixed, query(sort: "-v")) == ["9", "4", "0", "6", "8", "1", "5", "3", "2", "7"])
  }

  @Test func `later fields order what earlier ones leave equal`() throws {
    let items: [[(name: String, value: Fields.Value)]] = [
      [("a", .number("1")), ("b", .number("1"))], [("a", .number("0")), ("b", .number("1"))],
      [("a", .string("1.0")), ("b", .number("2"))],
    ]
    #expect(try ids(items, query(sort: "a,-b")) == ["1", "2", "0"])
    #expect(try ids(items, query(sort: "b,-id")) == ["1", "0", "2"])
  }

  @Test func `with a sort, the group is the text of the first field`() throws {
    let items = [
      try Item(id: "1", group: "x", fields: Fields([("y", .number("1.50"))])),
      try Item(id: "2", group: "x"),
    ]
    let sorted = try query(sort: "y").items(of: items, searchable: [])
    #expect(sorted.map(\.group) == ["1.50", nil])
    #expect(try query(filter: "y EXISTS").items(of: items, searchable: []).map(\.group) == ["x"])
  }

  @Test(arguments: [
    ("year,-title", "year,-title"), (" year , - title ", "year,-title"), ("a,b,-a", "a,b"),
    ("first name", "first name"), ("\"a,b\"", "\"a,b\""), ("-'-x'", "-\"-x\""), ("'year'", "year"),
    ("\"\"", "\"\""), ("\"'a\"", "\"'a\""), ("it's", "it's"), ("\" a\"", "\" a\""),
  ])
  func `the canonical spelling of a sort`(text: String, canonical: String) throws {
    #expect(try query(sort: text).parameters.map(\.text) == [canonical])
    #expect(try query(sort: canonical) == query(sort: text))
  }

  @Test(arguments: [
    (",", "sort: expected a field, at character 1"),
    ("a,", "sort: expected a field, at character 3"),
    ("-", "sort: expected a field, at character 2"),
    ("'a'b", "sort: expected \",\", at character 4"),
    ("a,'b", "sort: the quote at character 3 is not closed"),
  ])
  func `an error of a sort points at the place`(text: String, error: String) {
    #expect(throws: CatalogueError.invalid(error)) { try query(sort: text) }
  }

  // MARK: - The query

  @Test func `parameters keep the order of the contract`() throws {
    var query = try query(filter: "a=1", search: "B", sort: "-c")
    try query.set(.list, to: String(repeating: "-_aZ9", count: 8) + "abc")
    #expect(query.parameters.map(\.parameter.rawValue) == ["list", "where", "q", "sort"])
    #expect(query.parameters.dropFirst().map(\.text) == ["a = 1", "b", "-c"])
    #expect(query.fields == ["a", "c"])
    for parameter in ViewQuery.Parameter.allCases { try query.set(parameter, to: "") }
    #expect(query.isEmpty)
    #expect(query == ViewQuery())
  }

  @Test(arguments: ["short", String(repeating: "=", count: 43), String(repeating: "a", count: 44)])
  func `a list has the name of a SHA-256`(name: String) {
    var query = ViewQuery()
    #expect(throws: CatalogueError.invalid("list: \"\(name)\" is not the name of a list")) {
      try query.set(.list, to: name)
    }
  }

  @Test func `a field that is not declared is named`() throws {
    #expect(throws: CatalogueError.invalid("sort: items cannot be sorted by id")) {
      try self.query(sort: "kind,-id").check(.sort, filterable: ["id"])
    }
    let query = try self.query(
      filter: "id = 1 AND \"\u{E9}\" = 2", sort: "kind,aspect,width,group,b")
    #expect(throws: CatalogueError.invalid("where: the field \"\u{E9}\" is not filterable")) {
      try query.check(.filter, filterable: ["e\u{301}", "b"])
    }
    try query.check(.filter, filterable: ["\u{E9}"])
    try query.check(.sort, filterable: ["b"])
    #expect(throws: CatalogueError.invalid("sort: the field \"b\" is not filterable")) {
      try query.check(.sort, filterable: [])
    }
  }

  @Test func `relevance is left out without a search, and hides a field of its name`() throws {
    #expect(try query(sort: "kind,-relevance").parameters.map(\.text) == ["kind"])
    #expect(try query(sort: "relevance").isEmpty)
    let query = try self.query(search: "a", sort: " 'relevance',kind")
    try query.check(.sort, filterable: [])
    #expect(query.parameters.map(\.text) == ["a", "relevance,kind"])
    #expect(query.fields == ["kind"])
  }

  @Test func `queries that differ in normalization are not equal`() throws {
    #expect(try query(filter: "a = \u{E9}") != query(filter: "a = e\u{301}"))
    #expect(try query(filter: "\u{E9} EXISTS") != query(filter: "e\u{301} EXISTS"))
    #expect(try query(sort: "\u{E9}") != query(sort: "e\u{301}"))
  }

  @Test(arguments: [
    ("0", 0.0), ("-0", 0), ("1800", 1800), ("-12.50", -12.5), ("1e3", 1000), ("1E+3", 1000),
    ("12e-1", 1.2), ("999999999999999999999", 1e21), ("1e999", .infinity), ("-1e999", -.infinity),
    ("1e-999", 0), ("0.1", 0.1), ("123456789012345.678", 123456789012345.678),
  ])
  func `a value by JSON's grammar of numbers is a number`(text: String, number: Double) {
    #expect(FieldValue(text).number == number)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "-01", ".5", "5.", "1e", "1e+", "0x10", " 1", "1 ", "NaN", "inf", "1_000",
    "١",
    "1,5", "--1",
  ])
  func `another value is text`(text: String) { #expect(FieldValue(text).number == nil) }
}
