/// A store that imports whole strips: what `carousel import` writes to.
package protocol StripImporter: Sendable {
  /// Creates, extends or replaces a strip in one transaction.
  ///
  /// `fill` passes the items in order to the closure that it gets. The closure throws `.invalid`
  /// for an item that cannot be stored, such as one with a repeated id; `fill` may skip the item. An
  /// error that `fill` throws rolls everything back.
  ///
  /// - Throws: `.stripExists` if the mode is `.make` and the strip exists; what `fill` throws.
  @discardableResult
  func run(
    _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip

  /// Creates, extends or replaces the strips that the items name, in one transaction.
  ///
  /// The items of each strip come in order; neighbours of one strip are fastest. New strips are listed
  /// in the order of their first items. A replacement with the same items and settings keeps the
  /// strip's revision.
  ///
  /// - Precondition: In the mode `.replace`, the items of each strip are neighbours.
  /// - Parameter title: the title of a strip whose title is its name; called after its first item.
  /// - Returns: the number of strips by the effect on them.
  /// - Throws: `.stripExists` if the mode is `.make` and a strip exists; what `fill` throws.
  @discardableResult
  func runMany(
    _ mode: StripImport.Mode, settings: SettingsChange,
    title: @escaping (_ strip: String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts

  /// Cancels the run from another thread: it rolls back and throws `.interrupted`.
  func interrupt()
}

/// The strips of a store before an import, for a dry run, which only reads them.
package protocol ExistingStrips: Sendable {
  /// The store's number of the strip with this name; nil if there is none.
  func number(of name: String) throws(CatalogueError) -> Int64?

  /// Whether the strip with this number has an item with this id.
  ///
  /// - Complexity: one look-up.
  func has(_ id: String, in strip: Int64) throws(CatalogueError) -> Bool

  /// The kinds of the strip with this number, by number, also kinds without items.
  func kinds(of strip: Int64) throws(CatalogueError) -> [String]

  /// Whether the strip with this number has an item of a kind.
  ///
  /// - Complexity: O(*n*) if it has none.
  func has(kind: Int, in strip: Int64) throws(CatalogueError) -> Bool
}

/// The strip to import into, and how.
package struct StripImport: Sendable {
  /// What to do if the strip exists. If it does not, each mode creates it.
  package enum Mode: Sendable {
    case make
    case append
    /// Replace the items, and those settings that are given.
    case replace
  }

  package var name: String
  package var mode: Mode
  /// Changes of the strip's settings, or of the defaults for a new strip.
  package var settings: SettingsChange

  package init(name: String, mode: Mode = .make, settings: SettingsChange = SettingsChange()) {
    self.name = name
    self.mode = mode
    self.settings = settings
  }
}

/// The result of an import into one strip.
package struct ImportedStrip: Hashable, Sendable {
  /// The number of items in the strip, earlier ones included.
  package let count: Int
  package let revision: Int64

  package init(count: Int, revision: Int64) {
    self.count = count
    self.revision = revision
  }
}

/// The number of strips of an import, by its effect on them.
package struct StripCounts: Hashable, Sendable {
  package var created = 0
  /// Strips with a new revision.
  package var changed = 0
  /// Strips that already had the imported items and settings.
  package var same = 0

  package init(created: Int = 0, changed: Int = 0, same: Int = 0) {
    self.created = created
    self.changed = changed
    self.same = same
  }

  package var all: Int { created + changed + same }
}
