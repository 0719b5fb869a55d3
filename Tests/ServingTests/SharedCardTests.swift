import CaseTesting
import Foundation
import Items
import Serving
import Testing
import Views

/// Rules of cards that the page's script implements too, in cards/template.js, language/fields.js
/// and server/links.js.
struct SharedCardTests {
  struct Color: Decodable, Sendable {
    let color: String
    let isColor: Bool
  }

  @Test(arguments: cases("colors", as: [Color].self))
  func `a color is a color of the page`(vector: Color) {
    #expect(Fields.isColor(vector.color) == vector.isColor)
  }

  struct Link: Decodable, Sendable {
    let link: String
    let isLink, isImage: Bool
  }

  @Test(arguments: cases("links", as: [Link].self))
  func `a link is a link of the page`(vector: Link) {
    #expect(Fields.isLink(vector.link) == vector.isLink)
    #expect(Fields.link(vector.link, within: ["http", "https"]) == vector.isImage)
  }

  struct Placeholders: Decodable, Sendable {
    struct Case: Decodable, Sendable {
      let attribute, pattern: String
      /// Nil if the card lacks the attribute.
      let value: String?
    }

    let fields: [String: Field]
    let cases: [Case]
  }

  struct Field: Decodable, Sendable {
    let value: Fields.Value

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        value = .boolean(flag)
      } else if let number = try? container.decode(Int.self) {
        value = .number("\(number)")
      } else {
        value = .string(try container.decode(String.self))
      }
    }
  }

  private static let placeholders = cases("placeholders", as: Placeholders.self)

  @Test(arguments: placeholders.cases)
  func `a card has the attributes of the page`(vector: Placeholders.Case) throws {
    let fields = try Fields(
      Self.placeholders.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) })
    let card = try CardTemplate("<p \(vector.attribute)=\"\(vector.pattern)\">")
    let attribute = vector.value.map { HTML.attribute(vector.attribute, $0) } ?? ""
    #expect(card.filled(with: fields) { _ in "" } == "<p\(attribute)>")
  }

  struct FieldCases: Decodable, Sendable {
    struct Label: Decodable, Sendable {
      let field, language, label: String
    }

    struct Value: Decodable, Sendable {
      let language, field, value, format, text: String
      /// What the server writes, if it is not `text`.
      let server: String?
    }

    struct Condition: Decodable, Sendable {
      let condition: String
      let fields: [String: Field]
      let isHidden: Bool
    }

    let fields: [String: Setting]
    let labels: [Label]
    let values: [Value]
    let conditions: [Condition]
  }

  private static let fields = cases("fields", as: FieldCases.self)
  private static let settings = Result {
    try StripSettings(json: Array(JSONEncoder().encode(["fields": fields.fields]))).fields
  }

  /// A text, or an object.
  enum Setting: Codable, Sendable {
    case text(String)
    case object([String: Setting])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .object(try container.decode([String: Setting].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .object(let members): try container.encode(members)
      }
    }
  }

  @Test(arguments: fields.labels)
  func `a field has the label of the page`(vector: FieldCases.Label) throws {
    let texts = LocalizedFormatter(try Self.settings.get(), in: vector.language)
    #expect(texts.label(of: vector.field) == vector.label)
  }

  @Test func `the title of a group that is a month is in the language of the reader`() throws {
    let titles = ["2024-05", "2024-13", "1850", "Sea"]
    let german = LocalizedFormatter(in: "de")
    #expect(titles.map { german.title(ofGroup: $0) } == ["Mai 2024", "2024-13", "1850", "Sea"])
    #expect(LocalizedFormatter().title(ofGroup: "2024-05") == "2024-05")
    let sorted = LocalizedFormatter(try Self.settings.get(), in: "en")
    #expect(sorted.title(ofGroup: "17.5", sortedBy: "price") == "€17.50")
  }

  @Test(arguments: fields.values)
  func `a value in a format is the text of the page`(vector: FieldCases.Value) throws {
    let texts = LocalizedFormatter(try Self.settings.get(), in: vector.language)
    let card = try CardTemplate("{\(vector.field)|\(vector.format)}")
    let fields = try Fields([(vector.field, .string(vector.value))])
    #expect(card.filled(with: fields, in: texts) { _ in "" } == vector.server ?? vector.text)
    #expect(card.filled(with: fields) { _ in "" } == vector.value)
  }

  @Test(arguments: fields.conditions)
  func `a part with a condition is hidden as in the page`(vector: FieldCases.Condition) throws {
    let fields = try Fields(vector.fields.map { ($0.key, $0.value.value) })
    let card = try CardTemplate("<p data-if=\"\(vector.condition)\" title=\"{title}\">")
    let html = card.filled(with: fields) { _ in "" }
    #expect(html.contains("data-if=\"\(vector.condition)\" hidden") == vector.isHidden, "\(html)")
  }
}
