import Catalogue

/// Puts other items in the place of a strip's, and writes only what differs.
///
/// Items are looked up by their ids as they come, some at a time, and written over where they say
/// something else. When all have come, those that are gone are taken out, and as few as can be are
/// moved: a `Rearrangement` says which.
///
/// An item of a kind that there is no room for yet, beside those of items that may be gone, takes the
/// place of the former one at the end.
///
/// - Complexity: O(*n* log *n*) reads, writes in proportion to what differs; 45 bytes an item.
struct StripReplacement {
  private let session: Session
  private let strip: StripRow
  private var changes: RowChanges
  private let former: Positions
  /// What has become of the former item at an index.
  private var fates: [Fate]
  /// For each item that has come, the index of the former one; -1 where there is none.
  private var indices: [Int32] = []
  /// The ids that have come.
  private var seen = SeenIds()
  /// What has come and was not looked up yet.
  private var batch: [Item] = []
  /// The kinds that have come.
  private var kinds = KindTable()
  /// How many items have come that wait to be put where none is.
  private var arrivals = 0
  private let coming: StagingTable

  private enum Fate: UInt8 {
    case hasNotCome, stays
    /// It goes, and the one that has come for it is put there as a new one.
    case givesWay
  }

  /// So many are looked up at once.
  private static let batchSize = 1000

  /// - Parameters:
  ///   - coming: what it held before is let go.
  ///   - strip: as it was.
  /// - Precondition: Its layout is folded.
  init(
    _ session: Session, _ coming: StagingTable, of strip: StripRow, _ succession: RevisionWriter
  ) throws {
    self.session = session
    self.strip = strip
    changes = RowChanges(session, of: strip, succession)
    var former = Positions()
    let next = try Chunks(session: session, strip: strip.number).all()
    while let chunk = try next() { former.append(chunk.place) }
    self.former = former
    fates = [Fate](repeating: .hasNotCome, count: former.count)
    indices.reserveCapacity(former.count)
    self.coming = coming
    try coming.removeAll()
  }

  /// By how much the sums over the strip's items have changed.
  var difference: StripTotals { changes.difference }

  /// How many positions were touched.
  var changeCount: Int { changes.count }

  /// Whether so much differs that the strip is better made anew.
  var isAnother: Bool { changes.count + arrivals > Self.most }

  /// Whether those that have come are the former ones, in their order, and say what those said.
  mutating func isSame() throws -> Bool {
    try settle()
    return changes.count == 0 && indices.elementsEqual(0..<Int32(former.count))
  }

  /// So many changes of one revision can be held in memory, and read by whoever follows.
  private static let most = 500_000

  /// Takes the first items that the strip has, before any other: they have come, just as they are.
  ///
  /// - Parameters:
  ///   - ids: those of these items.
  ///   - kinds: those of these items as well.
  mutating func keep(first count: Int, _ ids: SeenIds, _ kinds: KindTable) throws {
    guard count <= former.count else {
      throw CatalogueError.corrupt("the layout has fewer items than the strip")
    }
    for index in 0..<count { fates[index] = .stays }
    indices.append(contentsOf: 0..<Int32(count))
    seen = ids
    self.kinds = kinds
  }

  /// Takes the next item.
  ///
  /// - Throws: `.invalid` for an id that has come already or a 65th kind; it is not taken then.
  mutating func add(_ item: Item) throws {
    if seen.mayHold(item.id) {
      try settle()
      guard try !hasCome(item.id) else {
        throw CatalogueError.invalid("id: \"\(item.id)\" is there already")
      }
    }
    _ = try kinds.number(of: item.kind)
    seen.add(item.id)
    batch.append(item)
    if batch.count == Self.batchSize { try settle() }
  }

  /// Gives the items that have come, in order.
  mutating func forEach(_ body: (Item) throws -> Void) throws {
    try settle()
    for places in Array(indices.indices).batches {
      let stored = try changes.items(
        at: places.compactMap { indices[$0] < 0 ? nil : former[Int(indices[$0])] })
      var new = try coming.items(places.filter { indices[$0] < 0 })[...]
      for place in places {
        let item =
          indices[place] < 0 ? new.popFirst() : stored[former[Int(indices[place])]]
        guard let item else { throw missing(place) }
        try body(item)
      }
    }
  }

  /// Brings the items into the order in which they came, and lets go of those that did not come.
  ///
  /// - Returns: nil where too much differs: then nothing of this has been done.
  mutating func finish() throws -> RevisionWriter? {
    try settle()
    let plan = Rearrangement(of: former, to: indices)
    let gone = fates.count { $0 == .hasNotCome }
    guard changes.count + gone + plan.moved.count <= Self.most else { return nil }
    for indices in fates.indices.filter({ fates[$0] != .stays }).batches {
      for item in try changes.take(indices.map { former[$0] }).values {
        try changes.admit(nil, inPlaceOf: item)
      }
    }
    for places in plan.moved.filter({ indices[$0] >= 0 }).batches {
      let positions = places.map { former[Int(indices[$0])] }
      let taken = try changes.take(positions)
      try coming.add(
        zip(places, positions).map { place, position in
          guard let item = taken[position] else { throw missing(place) }
          return (place, item)
        })
    }
    for places in plan.moved.batches {
      let items = try coming.items(places)
      for (place, item) in zip(places, items) where indices[place] < 0 {
        try changes.admit(item, inPlaceOf: nil)
      }
      try changes.put(zip(places, items).map { (plan.positions[$0], $1) })
    }
    return try changes.finish()
  }

  /// Whether the item of this id has come, of those that were looked up.
  private func hasCome(_ id: String) throws -> Bool {
    if let position = try session.position(of: id, in: strip) {
      return try fates[index(of: position)] != .hasNotCome
    }
    return try coming.holds(id)
  }

  /// Looks up what has come, and writes what differs.
  private mutating func settle() throws {
    let found = Dictionary(
      uniqueKeysWithValues: try session.items(
        of: batch.map(\.id), in: strip, kinds: changes.kindNames
      ).map { (Array($0.item.id.utf8), $0) })
    var differing: [(position: Int64, item: Item)] = []
    var new: [(place: Int, item: Item)] = []
    for item in batch {
      let former = try found[Array(item.id.utf8)].map { (try index(of: $0.position), $0) }
      guard let (index, (position, old)) = former,
        old == item || changes.hasRoom(for: item.kind, inPlaceOf: old)
      else {
        if let (index, _) = former { fates[index] = .givesWay }
        new.append((indices.count, item))
        indices.append(-1)
        continue
      }
      if old != item {
        try changes.admit(item, inPlaceOf: old)
        differing.append((position, item))
      }
      fates[index] = .stays
      indices.append(Int32(index))
    }
    batch = []
    arrivals += new.count
    _ = try changes.take(differing.map(\.position))
    try changes.put(differing)
    try coming.add(new)
  }

  private func index(of position: Int64) throws -> Int {
    guard let index = former.index(of: position) else {
      throw CatalogueError.corrupt("the layout has no item at \(position)")
    }
    return index
  }

  private func missing(_ place: Int) -> CatalogueError {
    .corrupt("item \(place) is missing")
  }
}

extension [Int] {
  /// The elements in order, a thousand at a time: as many as a statement takes.
  fileprivate var batches: some Sequence<[Int]> {
    stride(from: 0, to: count, by: 1000).lazy.map { Array(self[$0..<Swift.min($0 + 1000, count)]) }
  }
}
