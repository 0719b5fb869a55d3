package import Items

/// A store that imports whole strips. `carousel import` writes to it.
package protocol StripImporter: Sendable {
  /// Creates, extends or replaces strips in one transaction.
  ///
  /// `fill` passes the items to the closure that it gets, each with the name of its strip. The items of
  /// each strip come in order. An import is fastest if the items of a strip come together. The closure throws
  /// `.invalid` for an item that cannot be stored, and `fill` may skip it. An error that `fill` throws rolls
  /// everything back.
  ///
  /// New strips are listed in the order of their first items. A replacement with the same items and
  /// settings keeps the strip's revision.
  ///
  /// - Precondition: In the mode `.replace`, the items of each strip are neighbours.
  /// - Returns: the number of strips by the effect on them, and the last strip.
  /// - Throws: `.stripExists` if the mode is `.create` and a strip exists; what `fill` throws.
  @discardableResult
  func run(
    _ request: StripImport,
    fill: (_ add: (Item, _ strip: String) throws(CatalogueError) -> Void) throws(CatalogueError) ->
      Void
  ) throws(CatalogueError) -> (counts: StripCounts, last: ImportedStrip?)

  /// Cancels the run from another thread: it rolls back and throws `.interrupted`.
  func interrupt()
}

package struct StripImport {
  /// What to do if a strip exists. If it does not, each mode creates it.
  package enum Mode: Sendable {
    case create
    case append
    /// Replace the items, and those settings that are given.
    case replace
  }

  /// The strip of all items; it is created or replaced even if there are none. Nil if each item names its strip.
  package var name: String?
  package var mode: Mode
  /// The settings of a new strip that differ from the defaults.
  package var settings: SettingsPatch
  /// Returns a title for a strip whose title is only its name. It is called after the strip's first item.
  package var title: (_ strip: String) -> String?

  package init(
    name: String? = nil, mode: Mode = .create, settings: SettingsPatch = SettingsPatch(),
    title: @escaping (String) -> String? = { _ in nil }
  ) {
    self.name = name
    self.mode = mode
    self.settings = settings
    self.title = title
  }
}

package struct ImportedStrip: Hashable, Sendable {
  /// Earlier items included.
  package let count: Int
  package let revision: Int64

  package init(count: Int, revision: Int64) {
    self.count = count
    self.revision = revision
  }
}

/// The numbers of strips by the effect of an import on them.
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
