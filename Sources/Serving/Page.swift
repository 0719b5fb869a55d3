import Mustache

/// The demo page: `Public/index.html`, a Mustache template that holds the cards' templates.
package struct Page: Sendable {
  let cards: Cards
  private let template: MustacheTemplate

  /// - Throws: what is wrong with the template.
  package init(_ html: String) throws {
    cards = Cards(in: html)
    template = try MustacheTemplate(string: html)
  }

  func rendered(_ values: PageValues) -> [UInt8] {
    Array(template.render(values.tags).utf8)
  }
}
