import GRDB
import Items

/// Replaces the strips that an import names, one after the other: what differs is written, and a strip
/// in which nothing does stays at its revision. Those that were not there are made.
struct ReplacedStrips {
  private let db: Database
  private let settings: SettingsChange
  private let title: (String) -> String?
  /// Writes the strips that were not there.
  private var making: ImportWriter
  /// The strips that have been named.
  private var names: Set<String> = []
  private var current: Current?
  private var counts = StripCounts()

  private struct Current {
    let name: String
    /// With the strip as it is; nil for one that is made.
    var comparison: StripComparison?
  }

  /// - Parameter title: what a strip is called that has no title of its own.
  init(_ db: Database, settings: SettingsChange, title: @escaping (String) -> String?) {
    self.db = db
    self.settings = settings
    self.title = title
    making = ImportWriter(db, extends: false, settings: settings, title: title)
  }

  /// - Precondition: The items of each strip come one after the other.
  /// - Throws: `.invalid` for an item that cannot be taken, and nothing is written then.
  mutating func add(_ item: Item, to name: String) throws {
    if current?.name != name { try turn(to: name) }
    if current?.comparison == nil {
      try making.add(item, to: name)
    } else {
      try current?.comparison?.add(item)
    }
  }

  /// Writes what is held back, and ends the revisions before.
  mutating func finish() throws -> StripCounts {
    try close()
    try making.finish()
    counts.made = making.counts.made
    return counts
  }

  private mutating func turn(to name: String) throws {
    try close()
    let isFirst = names.insert(name).inserted
    precondition(isFirst, "The items of a strip that is replaced come one after the other.")
    current = Current(
      name: name,
      comparison: try StripRow.fetch(db, name: name).map { former in
        try StripComparison(
          db, of: former,
          settings: settings.applied(to: former.settings, of: name, called: title(name)))
      })
  }

  private mutating func close() throws {
    guard let differs = try current?.comparison?.finish() else { return }
    current = nil
    if differs { counts.changed += 1 } else { counts.same += 1 }
  }
}
