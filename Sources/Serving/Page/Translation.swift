import FoundationEssentials
package import HTTP
import Items

/// The texts and the number format of the page in one language.
///
///     let words = try Translation(language: "de", page: #"{"Next": "Weiter", "1,000": "1.000"}"#, element: nil)
///     words["Next"]  // Weiter
///     words.number(5000)  // 5.000
package struct Translation: Sendable {
  /// The primary tag of the language: `de`.
  package let language: String
  package private(set) var texts: [String: String] = [:]
  /// The forms of "5 items", by plural form.
  private var items = ["one": "{count} item", "other": "{count} items"]
  private var pictures = ["one": "{count} picture", "other": "{count} pictures"]
  private var corrected = "Showing results for {words}."

  package static let english = Translation()

  private init() { language = "en" }

  /// - Parameters:
  ///   - page: the file `js/words/page/NAME.json`: translations by English text.
  ///   - element: the file `js/words/NAME.json`, which has the plural forms of "5 items", and the text for a corrected search.
  package init(language: String, page: String, element: String?) throws(Template.SyntaxError) {
    struct Element: Decodable {
      let items: [String: String]
      let pictures: [String: String]?
      let corrected: String?
    }
    let decoder = JSONDecoder()
    guard let texts = try? decoder.decode([String: String].self, from: Data(page.utf8)) else {
      throw Template.SyntaxError(line: 1, description: "it is not a JSON object of texts")
    }
    let words = element.flatMap { try? decoder.decode(Element.self, from: Data($0.utf8)) }
    self.language = language
    self.texts = texts
    if let words { (items, pictures) = (words.items, words.pictures ?? words.items) }
    if let text = words?.corrected { corrected = text }
  }

  /// The translation of an English text. The English text itself if there is none.
  package subscript(_ english: String) -> String { texts[english] ?? english }

  /// The language's name for itself.
  var name: String { self["English"] }

  /// A number with separators, grouped as the language writes 1,000 and 10,000.
  func number(_ number: Int) -> String {
    let separator = self[number < 10_000 ? "1,000" : "10,000"].filter { !$0.isNumber }
    return String(number).grouped(by: separator)
  }

  /// A number of items: `1,000 items`, or `1,000 pictures`.
  package func count(_ count: Int, ofPictures: Bool = false) -> String {
    let forms = ofPictures ? pictures : items
    let form = forms[pluralForm(of: count)] ?? forms["other"] ?? "{count}"
    return form.replacing("{count}", with: number(count))
  }

  /// The texts of a sort menu. `…` stands for the label of a field.
  package static let directions = [
    "…, A to Z", "…, Z to A", "…, oldest first", "…, newest first", "…, lowest first",
    "…, highest first",
  ]

  /// The kind of a field's values. The raw value is the index of its first text in `directions`.
  enum ValueKind: Int { case words = 0, dates = 2, numbers = 4 }

  /// - Parameter isNumber: whether a value of the field is a number, as far as it is known.
  func valueKind(
    of field: String, in fields: FieldSettings, isNumber: Bool
  ) -> ValueKind {
    switch fields.format(of: field) {
    case .date: .dates
    case .number, .currency: .numbers
    case .text: .words
    case nil where fields.unit(of: field, in: language) != nil: .numbers
    // In a strip with labels, a field without a format has words.
    case nil: isNumber && fields.label(of: field, in: language) == nil ? .numbers : .words
    }
  }

  /// The texts of a sort menu for a field with values of a kind, ascending and descending.
  func directions(of kind: ValueKind) -> [String] {
    Self.directions[kind.rawValue...].prefix(2).map { self[$0] }
  }

  /// `Showing results for turner.`
  func corrected(to words: String) -> String { corrected.replacing("{words}", with: words) }

  /// The plural form of a number, by the rules of CLDR for the built-in languages. Other languages
  /// use the English rule.
  private func pluralForm(of count: Int) -> String {
    switch (language, count) {
    case ("ar", 0): "zero"
    case ("ar", 2): "two"
    case ("ar", _) where 3...10 ~= count % 100: "few"
    case ("ar", _) where 11...99 ~= count % 100: "many"
    case ("es", 1_000_000...) where count % 1_000_000 == 0: "many"
    case ("fr", 1_000_000...) where count % 1_000_000 == 0: "many"
    case (_, 1), ("fr", 0): "one"
    default: "other"
    }
  }
}

/// The language of the page for a request: the parameter `lang`, else the best match for
/// `Accept-Language`, else English.
package struct PageLanguage {
  package let words: Translation
  package let all: [Translation]
  /// The language in the parameter `lang`, which links keep. Nil if the parameter does not name
  /// one.
  let given: String?

  package init(of request: Request, among all: [Translation]) {
    func find(_ language: String) -> Translation? { all.first { $0.language == language } }
    let parameter = (try? Query(request, ignoring: "v"))?.first { $0.name.equals("lang") }
    let given = parameter.flatMap { find($0.value.primaryTag) }
    words = given ?? request.acceptedLanguages.lazy.compactMap(find).first ?? find("en") ?? .english
    self.all = all
    self.given = given?.language
  }

  /// The suffix of the links in the page: `&lang=de`, or empty.
  package var parameter: String { given.map { "&lang=\($0)" } ?? "" }
}
