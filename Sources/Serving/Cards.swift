/// The card templates of a page: one for each kind that has its own, one for all others.
package struct Cards: Sendable {
  private var templates: [String: CardTemplate] = [:]
  private let plain: CardTemplate

  /// Reads each `<template data-kind="KIND">` of `html`.
  package init(in html: String) {
    for match in html.matches(
      of: /<template data-kind="([a-z0-9-]+)">(.*?)<\/template>/.dotMatchesNewlines())
    {
      templates[String(match.output.1)] = CardTemplate(String(match.output.2))
    }
    plain = templates["card"] ?? CardTemplate("<b>{title}</b>")
  }

  /// The template of a kind.
  subscript(_ kind: String) -> CardTemplate { templates[kind] ?? plain }
}
