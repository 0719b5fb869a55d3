import Foundation
import HTTP
import Serving
import Testing

struct PageLanguageTests {
  private static let german = [
    "English": "Deutsch", "Next": "Weiter", "1,000": "1.000", "10,000": "10.000",
  ]

  private func words(_ language: String, _ texts: [String: String] = [:]) throws -> Translation {
    let page = try JSONSerialization.data(withJSONObject: texts)
    return try Translation(
      language: language, page: String(decoding: page, as: UTF8.self), element: nil)
  }

  /// The language of `GET target` among English, German and Arabic.
  private func language(_ target: String, accepting header: String? = nil) throws -> PageLanguage {
    let request = Request(.get, target, headers: header.map { [("Accept-Language", $0)] } ?? [])
    return PageLanguage(of: request, among: [try words("ar"), try words("de"), .english])
  }

  @Test(
    arguments: [
      ("/", nil, "en"), ("/", "de", "de"), ("/", "DE-at", "de"), ("/", "fr, ar;q=0.5", "ar"),
      ("/", "en;q=0.1, de;q=0.2", "de"), ("/", "de;q=0.2,ar;q=0.2", "de"), ("/", "de;q=0, *", "en"),
      ("/", "en-GB,de", "en"), ("/", "de;q=2, ,;,-", "en"), ("/?lang=de", "ar", "de"),
      ("/?lang=de-CH", nil, "de"), ("/?lang=fr", "ar", "ar"), ("/?lang=", "ar", "ar"),
      ("/?a=%25&lang=%64e", nil, "de"), ("/?lang=../de", nil, "en"),
    ] as [(String, String?, String)])
  func `the parameter chooses a language, then Accept-Language, then it is English`(
    target: String, header: String?, expected: String
  ) throws {
    #expect(try language(target, accepting: header).words.language == expected)
  }

  @Test func `links keep a language that the address names, and no other`() throws {
    #expect(try language("/?lang=de", accepting: "ar").parameter == "&lang=de")
    #expect(try language("/", accepting: "de").parameter == "")
    #expect(try language("/?lang=fr", accepting: "de").parameter == "")
  }

  @Test func `a text that the language does not have is in English`() throws {
    let words = try words("de", Self.german)
    #expect(words["Next"] == "Weiter")
    #expect(words["Previous"] == "Previous")
  }

  @Test func `a changed file of the element's words changes the counts of the page`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = folder.appending(path: "js/words")
    try FileManager.default.createDirectory(
      at: words.appending(path: "page"), withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: words.appending(path: "page/de.json"))
    let pages = PageFile(path: folder.appending(path: "index.html").path)
    for noun in ["Elemente", "Bilder"] {
      try Data(#"{"items": {"other": "{count} \#(noun)"}}"#.utf8).write(
        to: words.appending(path: "de.json"))
      #expect(try pages.language(for: Request(.get, "/?lang=de")).words.count(5) == "5 \(noun)")
    }
  }

  @Test func `words that are not JSON are rejected`() {
    let fault = #expect(throws: Template.SyntaxError.self) {
      _ = try Translation(language: "de", page: "{\"Next\": 1}", element: nil)
    }
    #expect(fault?.description == "it is not a JSON object of texts")
  }

  @Test func `a template shows texts in the language, with the value of its section`() throws {
    let words = try words("de", ["Search …": "In … <suchen>"])
    let template = try Template(
      #"{{#a}}<b title="{{_ Search …}}">{{_ Next}}</b>{{/a}}{{_ Open …}}"#)
    #expect(
      template.rendered(["a": .text("x & y")], in: words)
        == #"<b title="In x &amp; y &lt;suchen&gt;">Next</b>Open …"#)
  }

  // MARK: the built-in languages

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Public")

  private static func builtIn() throws -> [Translation] {
    try PageFile(path: folder.appending(path: "index.html").path)
      .language(for: Request(.get, "/")).all
  }

  /// The templates of the pages.
  private static func pages() throws -> [String] {
    try ["index.html", "first.html"].map { name in
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
  }

  @Test func `each language has exactly the texts of the pages`() throws {
    let ofTranslation = ["English", "1,000", "10,000"] + Translation.directions
    let ofPages = try Self.pages().flatMap { try Template($0).texts }
    let ofSwift = ["Sold out", "There is nothing at this address."] + ofTranslation
    let used = Set(ofPages + PageFile.problemTemplate.texts + ofSwift)
    let all = try Self.builtIn()
    #expect(all.map(\.language) == ["ar", "de", "en", "es", "fr", "ja"])
    for words in all where words.language != "en" {
      #expect(Set(words.texts.keys) == used, "\(words.language)")
      for (english, text) in words.texts {
        #expect(!text.isEmpty && english.contains("…") == text.contains("…"), "\(words.language)")
      }
    }
  }

  @Test func `no text of a page's template stands outside a tag`() throws {
    for var html in try Self.pages() {
      html.replace(/<template.*?<\/template>|<pre.*?<\/pre>|{{.*?}}/.dotMatchesNewlines(), with: "")
      for match in html.matches(
        of:
          /\s(?:title|alt|label|placeholder|aria-label|aria-roledescription|data-text|data-none|data-open|data-close)="([^"]*)"/
      ) {
        #expect(match.1.filter(\.isLetter) == "", "\(match.0)")
      }
      html.replace(/<!--.*?-->|<[^>]*>/, with: "")
      // The name of the product.
      html.replace("carousel", with: "")
      #expect(html.filter(\.isLetter) == "")
    }
  }

  @Test(
    arguments: [
      ("en", ["0 items", "1 item", "1,234 items", "12,345 items", "1,000,000 items"]),
      (
        "de",
        ["0 Elemente", "1 Element", "1.234 Elemente", "12.345 Elemente", "1.000.000 Elemente"]
      ),
      (
        "es",
        [
          "0 elementos", "1 elemento", "1234 elementos", "12.345 elementos",
          "1.000.000 de elementos",
        ]
      ),
      (
        "fr",
        [
          "0 élément", "1 élément", "1\u{202F}234 éléments", "12\u{202F}345 éléments",
          "1\u{202F}000\u{202F}000 d’éléments",
        ]
      ),
      ("ja", ["0件", "1件", "1,234件", "12,345件", "1,000,000件"]),
      ("ar", ["لا عناصر", "عنصر واحد", "1,234 عنصرًا", "12,345 عنصرًا", "1,000,000 عنصر"]),
    ])
  func `a count has the separators and the plural form of its language`(
    language: String, expected: [String]
  ) throws {
    let words = try #require(try Self.builtIn().first { $0.language == language })
    #expect([0, 1, 1234, 12_345, 1_000_000].map { words.count($0) } == expected)
  }
}

extension Template {
  /// The English texts of all `{{_ Text}}`.
  fileprivate var texts: [String] { Self.texts(parts) }

  private static func texts(_ parts: [Part]) -> [String] {
    parts.flatMap { part in
      switch part {
      case .words(let text): [text]
      case .section(_, _, let content): texts(content)
      default: [String]()
      }
    }
  }
}
