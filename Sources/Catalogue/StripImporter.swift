package import Windowing

/// A store that takes in whole strips: what `import` writes to.
package protocol StripImporter: Sendable {
  /// Makes, extends or replaces a strip in one transaction: it is there whole, or nothing changed.
  ///
  /// `fill` gives the items in order, each to the closure it is called with. That throws `.invalid`
  /// for an item that cannot be taken, such as one whose id is there already; `fill` may pass over
  /// it and go on. An error that `fill` throws undoes everything.
  ///
  /// - Throws: `.stripExists` for a strip that is there when one is to be made; what `fill` throws.
  @discardableResult
  func run(
    _ request: StripImport,
    fill: (_ add: (Item) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> ImportedStrip

  /// Makes, extends or replaces the strips that items are given for, all in one transaction.
  ///
  /// The items of each strip come in order; it goes fastest where they come one after the other. A
  /// strip that is made stands where its first item came. One that is replaced by what it has, with
  /// the settings that it has, stays what it is, and at its revision.
  ///
  /// - Precondition: Where strips are replaced, the items of each come one after the other.
  /// - Parameter title: what a strip is called for whose title there is no other than its name; asked
  ///   when the first of its items has come.
  /// - Returns: how many strips that are, by what became of them.
  /// - Throws: `.stripExists` for a strip that is there when one is to be made; what `fill` throws.
  @discardableResult
  func runMany(
    _ mode: StripImport.Mode, settings: SettingsChange,
    title: @escaping (_ strip: String) -> String?,
    fill: (_ add: (Item, String) throws(CatalogueError) -> Void) throws(CatalogueError) -> Void
  ) throws(CatalogueError) -> StripCounts

  /// Stops the run from another thread: it undoes everything and throws `.interrupted`.
  func interrupt()
}

/// What an import is to do.
package struct StripImport: Sendable {
  /// What to do where the strip exists; where it does not, all three make it.
  package enum Mode: Sendable {
    /// Nothing: that is an error.
    case make
    /// Put the items behind those that are there.
    case append
    /// Put the items in the place of those that are there; settings stay unless they are given.
    case replace
  }

  package var name: String
  package var mode: Mode
  /// What to change of the settings that the strip has, or of the contract's defaults.
  package var settings: SettingsChange

  package init(name: String, mode: Mode = .make, settings: SettingsChange = SettingsChange()) {
    self.name = name
    self.mode = mode
    self.settings = settings
  }
}

/// What an import has made.
package struct ImportedStrip: Hashable, Sendable {
  /// All items of the strip, also those it had before.
  package let count: Int
  package let revision: Int64

  package init(count: Int, revision: Int64) {
    self.count = count
    self.revision = revision
  }
}

/// How many strips an import was for, by what became of them.
package struct StripCounts: Hashable, Sendable {
  /// Those that were not there before.
  package var made = 0
  /// Those that have another revision now.
  package var changed = 0
  /// Those that were to be what they are.
  package var same = 0

  package init(made: Int = 0, changed: Int = 0, same: Int = 0) {
    self.made = made
    self.changed = changed
    self.same = same
  }

  package var all: Int { made + changed + same }
}

/// Settings to change; nil leaves one as it is.
package struct SettingsChange: Hashable, Sendable {
  package var title: String?
  package var height: Length?
  package var gap: Length?
  package var inset: Length?
  package var loop: Bool?
  package var snap: StripSettings.Snap?
  package var itemWidth: Length?

  package init() {}

  /// The settings with these changes.
  ///
  /// - Throws: `.invalid` for one out of its range.
  package func applied(to settings: StripSettings) throws(CatalogueError) -> StripSettings {
    var changed = settings
    changed.title = title ?? settings.title
    changed.height = height ?? settings.height
    changed.gap = gap ?? settings.gap
    changed.inset = inset ?? settings.inset
    changed.loop = loop ?? settings.loop
    changed.snap = snap ?? settings.snap
    changed.itemWidth = itemWidth ?? settings.itemWidth
    try changed.check()
    return changed
  }

  /// The same for the strip of this name, with `title` where neither these changes nor the strip have
  /// one.
  package func applied(
    to settings: StripSettings, of name: String, called title: String?
  ) throws(CatalogueError) -> StripSettings {
    var change = self
    if settings.title == name { change.title = change.title ?? title }
    return try change.applied(to: settings)
  }
}

/// The revisions of strips.
package enum Revision {
  /// The revision of a strip that is made now, or made anew: above the clock, and above its former
  /// one.
  ///
  /// - Parameter clock: microseconds since 1970.
  /// - Returns: the clock itself for a first revision, as the contract has it.
  package static func making(clock: Int64, former: Int64?) -> Int64 {
    guard let former else { return clock }
    return max(clock, former) + 1
  }
}
