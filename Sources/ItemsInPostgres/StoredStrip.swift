import Catalogue
import Windowing

/// A strip as it is read from the layout, at one revision.
struct StoredStrip: Sendable {
  let number: Int64
  let placed: PlacedStrip
  /// The edition for those who wait, and for those who do not.
  private let waiting: Edition
  private let atHand: Edition
  private let load: Int
  private let touched: TouchedPositions

  var revision: Int64 { atHand.revision }
  var settings: StripSettings { atHand.settings }

  func edition(_ mode: ReadMode) -> Edition { mode == .cachedOnly ? atHand : waiting }

  /// When so many positions have been touched, what the cache has of the strip is read anew.
  private static let touchedLimit = 100_000

  private init(
    _ row: StripRow, _ placed: PlacedStrip, pools: SharedPools, load: Int,
    touched: TouchedPositions, _ database: PostgresReader
  ) {
    number = row.number
    self.placed = placed
    self.load = load
    self.touched = touched
    func edition(_ mode: ReadMode) -> Edition {
      Edition(
        name: row.name, settings: row.settings, revision: row.revision, strip: placed.strip,
        source: StoredItems(
          database: database, strip: row.number, name: row.name, revision: row.revision,
          kinds: placed.strip.kinds, positions: placed.positions, load: load, touched: touched,
          mode: mode),
        pools: pools)
    }
    waiting = edition(.mayBlock)
    atHand = edition(.cachedOnly)
  }

  /// Reads the layout of a strip.
  ///
  /// - Parameters:
  ///   - row: The strip at its newest revision.
  ///   - past: The strip at a former revision that is held, where that is wanted.
  ///   - progress: is told how many items have been read.
  /// - Complexity: O(*n*); reads 8 bytes an item.
  static func load(
    _ row: StripRow, asOf past: StripRow? = nil, progress: LoadProgress? = nil,
    _ database: PostgresReader, _ session: Session
  ) throws -> StoredStrip {
    do {
      let itemWidth = (past ?? row).settings.itemWidth
      let next = try Chunks(session: session, strip: row.number).all()
      var placed = try PlacedStrip(kinds: row.kinds, itemWidth: itemWidth) {
        let chunk = try next()
        progress?.add(chunk?.place.count ?? 0)
        return chunk
      }
      let steps = try row.steps(after: row.folded, upTo: row.revision, session)
      try placed.apply(steps.forward, itemWidth: itemWidth)
      if let past {
        try placed.goBack(row.steps(after: past.revision, upTo: row.revision, session), itemWidth)
        placed.rename(kinds: past.kinds)
      }
      return StoredStrip(
        past ?? row, placed, pools: SharedPools(), load: database.cache.newLoad(),
        touched: TouchedPositions(), database)
    } catch CatalogueError.corrupt(let sentence) {
      throw CatalogueError.corrupt(
        "\(database.address): the strip \"\(row.name)\" is damaged: \(sentence)")
    }
  }

  /// This strip at the newest revision, when it is at a former one that is still held: the log of
  /// changes is read, the rest is shared.
  ///
  /// - Returns: nil where there is no way but to read the layout whole.
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items.
  func following(
    to row: StripRow, _ database: PostgresReader, _ session: Session
  ) throws -> StoredStrip? {
    let itemWidth = row.settings.itemWidth
    guard row.number == number, itemWidth == settings.itemWidth,
      row.kinds.starts(with: placed.strip.kinds), try row.held(at: revision, session) != nil
    else { return nil }
    let steps = try row.steps(after: revision, upTo: row.revision, session)
    var placed = placed
    placed.addKinds(row.kinds)
    if let tail = steps.tail {
      placed.truncate(at: tail)
      let next = try Chunks(session: session, strip: number).all(from: tail)
      while let chunk = try next() { try placed.append(chunk, from: tail, itemWidth: itemWidth) }
    }
    try placed.apply(steps.forward, itemWidth: itemWidth)
    // Before anybody can ask for this revision.
    touched.add(
      steps.flatMap { step in (0..<step.changes.count).map { step.changes[$0].position } },
      at: row.revision)
    let isFull = touched.count > Self.touchedLimit
    return StoredStrip(
      row, placed, pools: waiting.pools, load: isFull ? database.cache.newLoad() : load,
      touched: isFull ? TouchedPositions() : touched, database)
  }

  /// This strip, which is the newest, at a former revision that is held.
  ///
  /// - Parameter newest: the strip as it is here.
  /// - Complexity: O(chunks + *k* log *n*) for *k* changed items; where kinds have come or the width
  ///   of a bare item has changed O(*n*).
  func goingBack(
    to past: StripRow, from newest: StripRow, _ database: PostgresReader, _ session: Session
  ) throws -> StoredStrip {
    let itemWidth = past.settings.itemWidth
    guard itemWidth == settings.itemWidth else {
      return try .load(newest, asOf: past, database, session)
    }
    var placed = placed
    try placed.goBack(
      newest.steps(after: past.revision, upTo: newest.revision, session), itemWidth)
    placed.rename(kinds: past.kinds)
    return StoredStrip(
      past, placed, pools: waiting.pools, load: load, touched: touched, database)
  }
}

extension PlacedStrip {
  /// Undoes what steps have done, of which the last led here.
  fileprivate mutating func goBack(_ steps: [LayoutStep], _ itemWidth: Length) throws {
    if let tail = steps.tail { truncate(at: tail) }
    try apply(steps.backward, itemWidth: itemWidth)
  }
}
