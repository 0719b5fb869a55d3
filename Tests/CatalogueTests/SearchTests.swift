import CaseTesting
import Catalogue
import CatalogueTesting
import Items
import RandomTesting
import Testing
import Views
import Windowing

struct SearchTests {
  // MARK: - Words

  struct WordCase: Decodable, Sendable {
    let text: String
    let words: [String]
  }

  @Test(arguments: cases("words", as: [WordCase].self))
  func `a text has these folded words`(vector: WordCase) {
    let words = WordTokenizer.folded(of: vector.text.utf8)
    #expect(words.map { String(decoding: $0, as: UTF8.self) } == vector.words)
  }

  struct HitCase: Decodable, Sendable {
    let q: String
    let texts: [String]
    let others: [String]
  }

  @Test(arguments: cases("hits", as: [HitCase].self))
  func `a search finds these texts`(vector: HitCase) throws {
    let search = try Search(vector.q)
    for spelling in [vector.q, search.description] {
      for (texts, isFound) in [(vector.texts, true), (vector.others, false)] {
        for text in texts {
          let words = WordTokenizer.folded(of: text.utf8)
          #expect(try Search(spelling).matches(words) == isFound, "\(spelling): \(text)")
        }
      }
    }
  }

  // MARK: - Words that are equal in number

  struct Inflections: Decodable, Sendable {
    let equal: [[String]]
    let different: [[String]]
  }

  @Test func `singular and plural share a singular`() {
    let table = cases("inflections", as: Inflections.self)
    for (words, isEqual) in table.equal.map({ ($0, true) }) + table.different.map({ ($0, false) }) {
      let folded = words.map { WordTokenizer.folded(of: $0.utf8)[0] }
      #expect(Inflection.forms(of: folded[0]).contains(folded[1]) == isEqual, "\(words)")
      #expect(Inflection.forms(of: folded[1]).contains(folded[0]) == isEqual, "\(words)")
    }
  }

  // MARK: - Distances

  @Test func `distances are those of the table of all beginnings`() throws {
    for seed in 1...1000 {
      var random = SeededRandom(seed: seed)
      func word(_ lengths: ClosedRange<Int>) -> String {
        String(
          (0..<random.pick(lengths)).map { _ in ["a", "b", "c", "é", "本"][random.next(below: 5)] }
            .joined())
      }
      let (from, text) = (word(5...70), word(0...75))
      let near = random.once(in: 2) ? Self.edited(from, &random) : text
      let (one, other) = (Array(from.unicodeScalars), Array(near.unicodeScalars))
      guard let distance = EditDistance(from: Array(from.utf8)) else {
        #expect(one.count > 64)
        continue
      }
      #expect(distance.limit == (one.count < 9 ? 1 : 2))
      let found = Array(near.utf8).withUnsafeBytes { distance.distances(to: $0) }
      let past = distance.limit + 1
      let whole = NaiveSearch.distance(other[...], one)
      let beginning = (0...other.count).map { NaiveSearch.distance(other[..<$0], one) }.min()
      #expect(min(found.whole, past) == min(whole, past), "seed \(seed)")
      #expect(min(found.beginning, past) == min(beginning ?? 0, past), "seed \(seed)")
    }
    #expect(EditDistance(from: Array("four".utf8)) == nil)
  }

  private static func edited(_ word: String, _ random: inout SeededRandom) -> String {
    var letters = Array(word)
    for _ in 0..<random.pick(1...3) {
      let place = random.next(below: letters.count - 1)
      switch random.next(below: 4) {
      case 0: letters.insert("c", at: place)
      case 1: letters.remove(at: place)
      case 2: letters.swapAt(place, place + 1)
      default: letters[place] = "本"
      }
    }
    return String(letters)
  }

  // MARK: - Views

  private static let words = [
    "turner", "turners", "painter", "painting", "paintings", "Größe", "impressionism",
    "impressionist", "impressionists", "blau", "blue", "Häuser", "Haus", "x", "city", "cities",
    "Wi-Fi", "wifi", "x-ray", "U.S.A.", "usa", "1,200", "1200", "東京タワー", "タワー", "Straße", "strasse",
  ]

  private static func item(_ number: Int, _ random: inout SeededRandom) throws -> Item {
    func text() -> String {
      (0..<random.next(below: 4)).map { _ in words[random.next(below: words.count)] }
        .joined(separator: " ")
    }
    // Fields stand in another order than that of `searchable`.
    var fields: [(String, Fields.Value)] = []
    if random.once(in: 2) { fields.append(("artist", .string(text()))) }
    if !random.once(in: 5) { fields.append(("title", .string(text()))) }
    fields.append(("year", .number("\(random.next(below: 3))")))
    if random.once(in: 3) { fields.append(("note", .string(text()))) }
    return try Item(id: "i\(number)", group: "g\(number / 3)", fields: Fields(fields))
  }

  private static func query(_ random: inout SeededRandom) throws -> ViewQuery {
    var query = ViewQuery()
    let asked = (0..<random.pick(1...3)).map { _ in
      let word = words[random.next(below: words.count)]
      let isKept = random.once(in: 2) || word.count < 4 || !word.allSatisfy(\.isLetter)
      return isKept ? word : edited(word, &random)
    }
    try query.set(.search, to: asked.joined(separator: " ") + (random.once(in: 2) ? " " : ""))
    if random.once(in: 3) { try query.set(.filter, to: "year > 0") }
    let sorts = ["", "relevance", "relevance,-year", "year,-relevance", "-relevance"]
    try query.set(.sort, to: sorts[random.next(below: sorts.count)])
    return query
  }

  @Test(arguments: 1...30)
  func `searches find, correct and rank as the naive model, also after edits`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    var settings = StripSettings(title: "s")
    settings.searchable = ["title", "artist", "note"]
    settings.filterable = ["year"]
    let count = seed == 1 ? 4500 : random.pick(1...12)  // of two pieces
    var items = try (0..<count).map { try Self.item($0, &random) }
    let queries = try (0..<8).map { _ in try Self.query(&random) }
    var base = try Snapshot(name: "s", settings: settings, revision: 1, items: items)
    var views = try queries.map { try StripView.make($0, of: base, list: nil) }
    for revision in 2...(seed == 1 ? 3 : 8) {
      for (query, view) in zip(queries, views) {
        let expected = try query.items(of: items, searchable: settings.searchable)
        let naive = NaiveSearch(
          try #require(query.search), of: items, searchable: settings.searchable)
        let found = try #require(view.snapshot.view?.search)
        #expect(found == naive.search, "\(query.parameters)")
        #expect(view.snapshot.strip.count == expected.count, "\(query.parameters)")
        #expect(
          try view.snapshot.source.items(in: 0..<view.snapshot.strip.count) == expected,
          "\(query.parameters)")
        for (index, item) in expected.prefix(20).enumerated() {
          #expect(try view.snapshot.source.index(of: item.id) == index)
        }
        let facets = try Facets(of: ["group"], limit: 0, query, of: base, list: nil)
        #expect(facets.count == expected.count)
        #expect(facets.query.search == naive.search)
        #expect(facets.facets[0].absent == expected.count { $0.group == nil })
      }
      let changed = random.next(below: items.count)
      items[changed] = try Self.item(changed, &random)
      let edited = try Snapshot(
        name: "s", settings: settings, revision: Int64(revision), items: items)
      base = Snapshot(
        name: "s", settings: settings, revision: Int64(revision), strip: edited.strip,
        source: edited.source, columns: base.columns)
      base.columns.record([Int64(changed)], appendedFrom: nil, at: Int64(revision))
      views = try zip(queries, views).map { query, view in
        try view.updated(to: base) ?? StripView.make(query, of: base, list: nil)
      }
    }
  }

  @Test func `an exact view follows edits, and a corrected one is made again`() throws {
    var settings = StripSettings(title: "s")
    settings.searchable = ["title"]
    let base = try Snapshot(
      name: "s", settings: settings, revision: 1,
      items: [Item(id: "a", fields: Fields([("title", .string("turner"))]))])
    base.columns.record([], appendedFrom: nil, at: 2)
    let next = Snapshot(
      name: "s", settings: settings, revision: 2, strip: base.strip, source: base.source,
      columns: base.columns)
    for (search, follows) in [("turner", true), ("turnor", false), ("unknown", false)] {
      var query = ViewQuery()
      try query.set(.search, to: search)
      let view = try StripView.make(query, of: base, list: nil)
      #expect(try (view.updated(to: next) != nil) == follows, "\(search)")
    }
  }
}
