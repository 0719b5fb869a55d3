package import Items
package import Windowing

/// A strip at one revision, which does not change. A class, because requests pass it on often.
package final class Snapshot: Sendable {
  package let name: String
  package let settings: StripSettings
  package let revision: Int64
  /// Sizes, kinds and groups of all items, by index.
  package let strip: Strip
  /// Ids and fields of the items, by index.
  package let source: any ItemSource
  package let kindsByName: [(name: String, kind: Kind)]
  /// The JSON that all items of a kind have in common, by the number of the kind: `,"kind":"album","slot":"album-`.
  package let kindMembers: [[UInt8]]
  package let layouts: SharedLayoutCache
  package let columns: ColumnCache
  /// The query of a view; nil for the strip itself.
  package let view: ViewQuery?
  /// The memory of the geometry, with the parts that other snapshots share.
  private let memory: [MemoryReservation]

  /// - Parameters:
  ///   - layouts, columns: those of the previous snapshot, if any.
  ///   - memory: the reservations of the geometry. None for a view and a constant strip, which count elsewhere.
  ///   - other: a snapshot of the same strip. Usually it has the same kinds, and their JSON is reused.
  package init(
    name: String, settings: StripSettings, revision: Int64, strip: Strip, source: any ItemSource,
    layouts: SharedLayoutCache = SharedLayoutCache(), columns: ColumnCache? = nil,
    view: ViewQuery? = nil,
    memory: [MemoryReservation] = [], kindsOf other: Snapshot? = nil
  ) {
    self.name = name
    self.settings = settings
    self.revision = revision
    self.strip = strip
    self.source = source
    if let other, other.strip.kinds == strip.kinds {
      (kindsByName, kindMembers) = (other.kindsByName, other.kindMembers)
    } else {
      kindsByName = strip.kinds.enumerated().map { ($1, Kind(number: $0)) }.sorted { $0.0 < $1.0 }
      kindMembers = strip.kinds.map { Array(#","kind":"\#($0)","slot":"\#($0)-"#.utf8) }
    }
    self.layouts = layouts
    self.columns = columns ?? ColumnCache(at: revision)
    self.view = view
    self.memory = memory
  }
}
