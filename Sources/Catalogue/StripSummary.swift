package import Windowing

/// A strip as a list shows it: everything but its items.
package struct StripSummary: Sendable {
  package let name: String
  package let settings: StripSettings
  package let revision: Int64
  /// How many items there are.
  package let count: Int
  /// How long the strip is at its own height.
  package let extent: Length
  /// The names of the kinds that its items have, in their order.
  package let kinds: [String]

  /// - Parameter totals: the sums over all items.
  package init(
    name: String, settings: StripSettings, revision: Int64, totals: Totals, kinds: [String]
  ) {
    self.name = name
    self.settings = settings
    self.revision = revision
    count = totals.count
    extent = Layout.extent(
      of: totals, height: settings.height, gap: settings.gap, inset: settings.inset,
      wraps: settings.loop)
    self.kinds = kinds.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package init(_ edition: Edition) {
    self.init(
      name: edition.name, settings: edition.settings, revision: edition.revision,
      totals: edition.strip.totals, kinds: edition.strip.kindsInUse)
  }
}
