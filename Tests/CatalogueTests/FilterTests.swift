import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views
import Windowing

struct FilterTests {
  private let item = try? Item(
    id: "a1", kind: "work", aspect: Aspect(checking: 1.0635), group: "1832",
    fields: Fields([
      ("artist", .string("J. M. W. Turner")), ("year", .number("1832")), ("lot", .string("7")),
      ("code", .string("007")), ("signed", .boolean(true)), ("title", .string("")),
      ("big", .number("1e999")), ("taken", .string("2019-04-01T12:00:00+02:00")),
      ("shown", .string("2019")), ("e\u{301}", .string("e\u{301}")), ("id", .string("hidden")),
    ]))

  private func matches(_ filter: String) throws -> Bool {
    let item = try #require(item)
    return try Filter(filter).matches { item.value(of: $0) }
  }

  @Test(arguments: [
    #"artist = "J. M. W. Turner" AND (year 1800 TO 1850 OR NOT medium EXISTS)"#,
    "year = 1832", "year = 1832.0", "year=18.32e2", #"year = "1832""#, "lot = 7", "lot < 7.5",
    #"lot = "7""#, #"code = "007""#, "code = 007", "signed = true", "signed > sign", "title EXISTS",
    #"title = """#, "title < a", "year IN [1, 1832]", "artist != Turner", "nothing != 5",
    "NOT nothing = 5", "NOT nothing < 5", "year 1832 TO 1832", #"year "18" TO "19""#, "big > 1e308",
    "big = 2e400", "id = a1", "id IN [7, a1]", "id != 7", "id EXISTS", "kind = work",
    "group = 1832", "aspect = 1.0635", "aspect > 1",
    "NOT width EXISTS", "\"e\u{301}\" = \"e\u{301}\"", "year < a", "NOT (year = 1 OR year = 2)",
    "NOT(year=1)AND(NOT(NOT(lot=7)))", "year = 1 OR year = 1832 AND lot = 7", "artist > J",
    "year 1 TO \"2\"", "artist='J. M. W. Turner'", "taken = 2019", "taken = 2019-04",
    "taken IN [2018, 2019-04-01]", "taken > 2018", "taken <= 2019", "taken 2018 TO 2019-04",
    "taken = 2019-04-01T12:00", "taken = 2019-04-01T10:00:00Z", #"taken > "2019""#,
    "shown = 2019", "shown >= 2019-01-01", "shown <= 2019-01", "shown < 2019-02",
    "year < 1832-02", "year >= 1832-01",
  ])
  func `it matches the item`(filter: String) throws { #expect(try matches(filter)) }

  @Test(arguments: [
    "artist = Turner", "artist = 5", "artist < 5", "artist > 5", "code = 7", "code > 1",
    "code EXISTS AND code < 1",
    #"year = "1832.0""#, "signed = 1", "nothing = 5", "nothing > 5", "nothing IN [5]", "year IN []",
    "nothing 0 TO 9", "id = hidden", "width = 0", "\"\u{E9}\" EXISTS", "e\u{301} = \"\u{E9}\"",
    "taken > 2019", "taken < 2019-04", "taken = 2019-04-01T12:00:00Z", #"taken = "2019-04-01""#,
    "taken > 2018.5", "taken >= 2019-13-01", "shown = 2019-01", "code > 0001-01", "artist < 2019",
    "artist > 2019-01",
    "year 1 TO 2", "year 1833 TO 1831", "artist 1 TO z", "(year = 1 OR year = 1832) AND lot = 8",
  ])
  func `it does not match the item`(filter: String) throws { #expect(try !matches(filter)) }

  @Test(arguments: [
    (#"artist="Turner"AND(year 1800 TO 1850)"#, "artist = Turner AND year 1800 TO 1850"),
    ("  a  =  '1'  ", #"a = "1""#),
    ("a = 1 AND (b = 2 AND (c = 3 OR (d = 4)))", "a = 1 AND b = 2 AND (c = 3 OR d = 4)"),
    ("a = 1 OR (b = 2 AND c = 3)", "a = 1 OR b = 2 AND c = 3"),
    ("NOT a = 1", "a != 1"), ("NOT a != 1", "a = 1"), ("NOT (NOT (a < 1))", "a < 1"),
    ("NOT(a<1 OR b>=2)", "NOT (a < 1 OR b >= 2)"), ("NOT(a EXISTS)", "NOT a EXISTS"),
    ("a IN[1,\"2\",b c]".replacing("b c", with: "'b c'"), #"a IN [1, "2", "b c"]"#),
    ("a IN []", "a IN []"), (#""AND" = 'OR'"#, #""AND" = "OR""#), (#"a = "'""#, #"a = "'""#),
    (#"a = '"'"#, #"a = '"'"#), (#"a = "\"" "#, #"a = '"'"#), (#"a = '\'"'"#, #"a = "'\"""#),
    (#"a = "\\ b\c""#, #"a = "\ b\c""#), (#"a = " \\""#, #"a = " \\""#), (#"a = """#, #"a = """#),
    ("id = \"7\" OR id IN [\"7\", '8 ']", "id = 7 OR id IN [7, \"8 \"]"),
    ("a = 2019-04", "a = 2019-04"), (#"a = "2019-04""#, #"a = "2019-04""#),
    ("a = '2019-13'", "a = 2019-13"),
    ("a = 1.50e2", "a = 1.50e2"), ("a = \"`\"", "a = `"), ("`a` = b`c", "`a` = b`c"),
    ("1 = -", "1 = -"),
    ("a\u{A0}=\u{3000}1", "a = 1"),
  ])
  func `the canonical spelling`(filter: String, canonical: String) throws {
    #expect(try Filter(filter).description == canonical)
    #expect(try Filter(canonical).description == canonical)
    #expect(try Filter(canonical) == Filter(filter))
  }

  private static let comparisons =
    ": =, !=, <, <=, >, >=, IN, EXISTS or VALUE TO VALUE; NOT stands before the field"
  private static let capitalsAndQuotes =
    ": keywords are in capitals, and a value of several words stands in quotes"

  @Test(arguments: [
    ("artist =", #"where: expected a value after "=", at character 9"#),
    ("artist =  ", #"where: expected a value after "=", at character 9"#),
    ("a = AND b = 1", #"where: expected a value after "=", at character 5"#),
    (" ", "where: expected a field, at character 1"),
    ("= 1", "where: expected a field, at character 1"),
    ("a", #"where: expected a comparison after "a", at character 2"# + comparisons),
    ("a NOT EXISTS", #"where: expected a comparison after "a", at character 3"# + comparisons),
    ("a = 1 b = 2", #"where: expected AND or OR after "1", at character 7"# + capitalsAndQuotes),
    ("a = 1)", #"where: expected AND or OR after "1", at character 6"#),
    ("(a = 1", #"where: expected AND, OR or ")" after "1", at character 7"#),
    ("a = 1 AND", #"where: expected a field after "AND", at character 10"#),
    ("NOT NOT a = 1", #"where: expected a field after "NOT", at character 5"#),
    ("()", #"where: expected a field after "(", at character 2"#),
    ("a IN 1", #"where: expected "[" after "IN", at character 6"#),
    ("a IN [1 2]", #"where: expected "," or "]" after "1", at character 9"#),
    ("a IN [1,]", #"where: expected a value after ",", at character 9"#),
    ("a 1 OR b", #"where: expected a comparison after "a", at character 3"# + comparisons),
    ("a 1 TO", #"where: expected a value after "TO", at character 7"#),
    ("a = \"b", "where: the quote at character 5 is not closed"),
    ("é = 'b\\'", "where: the quote at character 5 is not closed"),
    ("a ! b", "where: \"!\" needs quotes, at character 3"),
    (
      "a = 1 AND id < b",
      "where: id can be compared with =, !=, IN and EXISTS only, at character 11"
    ),
    ("id 1 TO 2", "where: id can be compared with =, !=, IN and EXISTS only, at character 1"),
    ("a and b", #"where: expected a comparison after "a", at character 3"# + comparisons),
  ])
  func `an error points at the place`(filter: String, error: String) {
    #expect(throws: CatalogueError.invalid(error)) { try Filter(filter) }
  }

  @Test func `it has at most 2048 bytes and 64 comparisons`() throws {
    let longest = "a = '" + String(repeating: "é", count: 1021) + "'"
    #expect(longest.utf8.count == 2048)
    _ = try Filter(longest)
    #expect(throws: CatalogueError.invalid("where: it has 2049 bytes, more than 2048")) {
      try Filter(longest + " ")
    }
    _ = try Filter(Array(repeating: "a=1", count: 64).joined(separator: " OR "))
    #expect(
      throws: CatalogueError.invalid("where: it has more than 64 comparisons, at character 449")
    ) { try Filter(Array(repeating: "a=1", count: 65).joined(separator: " OR ")) }
  }

  @Test func `it may be nested as deep as its size allows`() throws {
    let deep = String(repeating: "NOT(", count: 408) + "a=1" + String(repeating: ")", count: 408)
    #expect(try Filter(deep).description == "a = 1")
    let open = String(repeating: "(", count: 1022) + "a=1" + String(repeating: ")", count: 1022)
    #expect(try Filter(open).description == "a = 1")
    #expect(throws: CatalogueError.self) { try Filter(String(repeating: "(", count: 2048)) }
  }

  @Test func `the canonical spelling of a filter of the greatest size is valid`() throws {
    let values = Array(repeating: "1", count: 1020).joined(separator: ",")
    let filter = try Filter("a IN[\(values)]")
    #expect(filter.description == "a IN[\(values)]")
    #expect(try Filter(filter.description) == filter)
  }

  @Test(arguments: 0..<300)
  func `a random filter means what it is made from, and so does its canonical spelling`(
    seed: UInt64
  ) throws {
    var random = RandomFilter(seed: seed)
    let (text, predicate) = random.expression(depth: Int(seed % 5))
    guard text.utf8.count <= Filter.maximumSize,
      random.comparisons <= Filter.maximumComparisons
    else { return }
    let filter = try Filter(text)
    let canonical = filter.description
    #expect(canonical.utf8.count <= Filter.maximumSize)
    let again = try Filter(canonical)
    #expect(again == filter)
    #expect(again.description == canonical)
    for _ in 0..<50 {
      let item = random.item()
      let value = { (name: FieldName) in item[name.text].map { FieldValue($0) } }
      #expect(filter.matches(value) == predicate(item), "\(text) on \(item)")
    }
  }

  @Test(arguments: 0..<20)
  func `text that is no filter is an error and never a trap`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "a", "b c", " ", "(", ")", "[", "]", ",", "=", "!", "<", ">", "\"", "'", "\\", "AND", "OR",
      "NOT ", " TO ", " IN ", "EXISTS", "1", "-", "\u{301}", "\u{1F600}", "`",
    ]
    for _ in 0..<500 {
      let count = Int.random(in: 0..<12, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }
        .joined()
      guard let filter = try? Filter(text) else { continue }
      #expect((try? Filter(filter.description)) == filter, "\(text)")
    }
  }
}

/// Random filters, each with a function of the same meaning, and random items.
private struct RandomFilter {
  private var random: SeededRandom
  private(set) var comparisons = 0
  private let names = ["a", "b c", "AND", "1", "it's", "say \"x\"", "back\\", "\\\\ \\"]
  private let values = [
    "1", "1.0", "2", "-3", "1e1", "10", "007", "b", "B", "", "b c", "true", "é", "e\u{301}", "TO",
    "'",
    "\"", "\\", "a\\\\ b\\", "(",
  ]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  typealias Predicate = ([String: String]) -> Bool

  mutating func item() -> [String: String] {
    var item: [String: String] = [:]
    for name in names where Bool.random(using: &random) {
      item[name] = pick(values)
    }
    return item
  }

  mutating func expression(depth: Int) -> (String, Predicate) {
    join(depth, "OR", { parts in { item in parts.contains { $0(item) } } }) {
      $0.join(depth, "AND", { parts in { item in parts.allSatisfy { $0(item) } } }) {
        $0.term(depth: depth)
      }
    }
  }

  private mutating func join(
    _ depth: Int, _ keyword: String, _ combine: ([Predicate]) -> Predicate,
    _ part: (inout RandomFilter) -> (String, Predicate)
  ) -> (String, Predicate) {
    let count = depth == 0 ? 1 : Int.random(in: 1...3, using: &random)
    let parts = (0..<count).map { _ in part(&self) }
    return (parts.map(\.0).joined(separator: " \(keyword)\(space())"), combine(parts.map(\.1)))
  }

  private mutating func term(depth: Int) -> (String, Predicate) {
    var (text, predicate) = comparison()
    if depth > 0, Bool.random(using: &random) {
      (text, predicate) = expression(depth: depth - 1)
      text = "(\(space())\(text))"
    }
    guard Int.random(in: 0..<3, using: &random) == 0 else { return (text, predicate) }
    return ("NOT \(text)", { !predicate($0) })
  }

  private mutating func comparison() -> (String, Predicate) {
    comparisons += 1
    let name = pick(names)
    let field = spelled(name, mayBeWord: name == "a" || name == "1" || name == "back\\")
    func test(_ isTrue: @escaping (String) -> Bool) -> Predicate {
      { item in item[name].map(isTrue) ?? false }
    }
    let (low, isLow) = operand()
    let (high, isHigh) = operand()
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return ("\(field)=\(low)", test { isLow($0) == 0 })
    case 1:
      return ("\(field)\(space())!= \(low)", { item in item[name].map { isLow($0) != 0 } ?? true })
    case 2: return ("\(field) <\(space())\(low)", test { isLow($0).map { $0 < 0 } ?? false })
    case 3: return ("\(field)<=\(low)", test { isLow($0).map { $0 <= 0 } ?? false })
    case 4: return ("\(field)>\(low)", test { isLow($0).map { $0 > 0 } ?? false })
    case 5: return ("\(field) >= \(low)", test { isLow($0).map { $0 >= 0 } ?? false })
    case 6:
      return (
        "\(field) \(low) TO \(high)",
        test { (isLow($0).map { $0 >= 0 } ?? false) && (isHigh($0).map { $0 <= 0 } ?? false) }
      )
    case 7:
      return (
        "\(field) IN\(space())[\(low),\(space())\(high)]",
        test { isLow($0) == 0 || isHigh($0) == 0 }
      )
    default: return ("\(field) EXISTS", test { _ in true })
    }
  }

  /// A value in the syntax of filters, and a function that compares an item's value with it.
  private mutating func operand() -> (String, (String) -> Int?) {
    let value = pick(values)
    let numbers = ["1": 1.0, "1.0": 1, "2": 2, "-3": -3, "1e1": 10, "10": 10]
    let mayBeWord = !["", "b c", "TO", "'", "\"", "a\\\\ b\\", "("].contains(value)
    let text = spelled(value, mayBeWord: mayBeWord)
    if text == value, let number = numbers[value] {
      return (text, { numbers[$0].map { $0 < number ? -1 : $0 > number ? 1 : 0 } })
    }
    return (
      text,
      {
        let (left, right) = (Array($0.utf8), Array(value.utf8))
        return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
      }
    )
  }

  private mutating func spelled(_ text: String, mayBeWord: Bool) -> String {
    if mayBeWord, Bool.random(using: &random) { return text }
    let quote = Bool.random(using: &random) ? "\"" : "'"
    let escaped = text.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote)
    return quote + escaped + quote
  }

  private mutating func pick(_ texts: [String]) -> String {
    texts[Int.random(in: texts.indices, using: &random)]
  }

  private mutating func space() -> String {
    pick([" ", "  ", "\t", "\n"])
  }
}
