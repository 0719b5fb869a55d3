import CaseTesting
import Catalogue
import Serving
import Testing

/// Rules of cards that the page's script implements too, in element/dom.js and windows/server.js.
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
    let card = try Card("<p \(vector.attribute)=\"\(vector.pattern)\">")
    let attribute = vector.value.map { HTML.attribute(vector.attribute, $0) } ?? ""
    #expect(card.filled(with: fields) { _ in "" } == "<p\(attribute)>")
  }
}
