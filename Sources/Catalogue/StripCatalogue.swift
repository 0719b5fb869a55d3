package import Windowing

/// Strips by name, each at its newest revision or at one that is still held: what the server reads.
///
/// Threads that answer requests ask without patience, and are told `.wouldBlock` where an answer would
/// have to be fetched; then a thread that may wait asks the same again.
///
/// One contract suite in the tests runs over every kind of catalogue. Calls come from many threads
/// at once.
package protocol StripCatalogue: Sendable {
  /// The names of strips in the order of their making: those after `after`, at most `limit`.
  ///
  /// - Throws: `.noSuchStrip` where `after` names none.
  func names(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [String]

  /// Strips as a list shows them, at their newest revisions, in the order of their making: those
  /// after `after`, at most `limit`.
  ///
  /// - Throws: `.noSuchStrip` where `after` names none.
  func summaries(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [StripSummary]

  /// The strip of this name, or the first, at this revision, or the newest.
  ///
  /// Its source has the same patience. A revision that the store has reached and this catalogue has
  /// not is waited for up to a second.
  ///
  /// - Throws: `.wouldBlock` where it would have to be fetched and there is no patience; `.behind`
  ///   when the second is over.
  func edition(
    of name: String?, at revision: Int64?, mode: ReadMode
  ) throws(CatalogueError) -> Edition

  /// The revision that was a strip's newest at a moment, by the store's clock; the oldest that is held
  /// of one that is younger. Nil for the newest, where nobody keeps times.
  ///
  /// The store itself is asked, and not what this catalogue knows of it: all who ask are told the same
  /// once what was made before has been committed.
  ///
  /// - Parameter moment: microseconds since 1970; less than a minute ago, for longer none is held for
  ///   certain.
  /// - Throws: as `edition(of:at:mode:)`.
  func revision(
    of name: String, before moment: Int64, mode: ReadMode
  ) throws(CatalogueError) -> Int64?

  /// Reads the strips that take long to read, so that nobody who asks for one has to wait.
  ///
  /// - Parameter progress: is told how many items there are, and how many have been read.
  func load(_ progress: LoadProgress) throws(CatalogueError)

  /// Takes in what others have committed to the store by now, rather than a moment later.
  func refresh() throws(CatalogueError)

  /// How often an edition has become the newest, or has been let go of. While it stays the same, so
  /// does what ``edition(of:at:)`` says; nil where nobody counts.
  var changeCount: Int? { get }
}

extension StripCatalogue {
  package var changeCount: Int? { nil }

  package func revision(
    of name: String, before moment: Int64, mode: ReadMode
  ) throws(CatalogueError) -> Int64? { nil }

  /// Made of the editions, where these are at hand anyway.
  package func summaries(
    after: String?, limit: Int, mode: ReadMode
  ) throws(CatalogueError) -> [StripSummary] {
    try names(after: after, limit: limit, mode: mode).map { name throws(CatalogueError) in
      StripSummary(try edition(of: name, at: nil, mode: mode))
    }
  }

  package func summaries(after: String?, limit: Int) throws(CatalogueError) -> [StripSummary] {
    try summaries(after: after, limit: limit, mode: .mayBlock)
  }

  /// Nothing, where nothing takes long.
  package func load(_ progress: LoadProgress) throws(CatalogueError) {}

  /// Nothing, where nobody else writes.
  package func refresh() throws(CatalogueError) {}

  package func names(after: String?, limit: Int) throws(CatalogueError) -> [String] {
    try names(after: after, limit: limit, mode: .mayBlock)
  }

  package func edition(of name: String?, at revision: Int64?) throws(CatalogueError) -> Edition {
    try edition(of: name, at: revision, mode: .mayBlock)
  }
}

/// Whether whoever asks a catalogue can wait for what has to be fetched.
package enum ReadMode: Sendable {
  /// What is not at hand is not had. Reading a file of this machine counts as at hand, reading a
  /// strip whole does not.
  case cachedOnly
  /// As long as the store takes.
  case mayBlock
}

/// A strip as it was at one revision: a snapshot that stays as it is while the catalogue goes on.
///
/// A class, since it is handed from one function to the next for each request: one reference goes
/// along, and not all of these.
package final class Edition: Sendable {
  package let name: String
  package let settings: StripSettings
  package let revision: Int64
  /// Sizes, kinds and groups of all items, by index.
  package let strip: Strip
  /// What the items say, by index.
  package let source: any ItemSource
  /// The strip's kinds in the order of their names.
  package let kindsByName: [(name: String, kind: Kind)]
  package let kindNames: KindNames
  /// How many slots each kind needs, as far as it was asked.
  package let pools: SharedPools

  /// - Parameter pools: those of the edition before, where there is one: they follow edits.
  package init(
    name: String, settings: StripSettings, revision: Int64, strip: Strip, source: any ItemSource,
    pools: SharedPools = SharedPools()
  ) {
    self.name = name
    self.settings = settings
    self.revision = revision
    self.strip = strip
    self.source = source
    kindsByName = strip.kinds.enumerated().map { ($1, Kind(number: $0)) }.sorted { $0.0 < $1.0 }
    kindNames = KindNames(strip.kinds)
    self.pools = pools
  }
}

/// What the items of one edition say. Indices are within the strip, hidden items have theirs too.
///
/// Each function throws `.wouldBlock` where the edition was asked for without patience and the answer
/// would have to be fetched.
package protocol ItemSource: Sendable {
  /// Id and fields of the items in `range`, in order.
  ///
  /// - Throws: `.revisionGone` when the store has since replaced the strip as a whole.
  func contents(of range: Range<Int>) throws(CatalogueError) -> [ItemContent]

  /// Hands out the same as bytes, without a `String` or an array for each.
  func read(_ range: Range<Int>, _ take: (ItemBytes) -> Void) throws(CatalogueError)

  /// The items in `range` whole, in order.
  func items(in range: Range<Int>) throws(CatalogueError) -> [Item]

  /// Where the item of this id stands, or nil.
  func index(of id: String) throws(CatalogueError) -> Int?
}

extension ItemSource {
  package func read(_ range: Range<Int>, _ take: (ItemBytes) -> Void) throws(CatalogueError) {
    for content in try contents(of: range) { ItemBytes.lend(content.id, content.fields, to: take) }
  }
}

/// What a card shows of an item, as bytes that are there only as long as somebody is called with
/// them.
package struct ItemBytes {
  /// UTF-8.
  package let id: UnsafeRawBufferPointer
  /// A compact JSON object.
  package let fields: UnsafeRawBufferPointer

  package init(id: UnsafeRawBufferPointer, fields: UnsafeRawBufferPointer) {
    self.id = id
    self.fields = fields
  }

  static func lend(_ id: String, _ fields: Fields, to take: (ItemBytes) -> Void) {
    var id = id
    id.withUTF8 { id in
      fields.json.withUnsafeBytes { fields in
        take(ItemBytes(id: UnsafeRawBufferPointer(id), fields: fields))
      }
    }
  }
}

/// What a card shows of an item.
package struct ItemContent: Hashable, Sendable {
  package let id: String
  package let fields: Fields

  package init(id: String, fields: Fields) {
    self.id = id
    self.fields = fields
  }
}
