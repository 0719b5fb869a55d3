import Items

/// Puts other items in the place of a strip's, and writes only what differs.
///
/// Items are looked up by their ids as they come, some at a time, and written over where they say
/// something else. When all have come, those that are gone are taken out, and as few as can be are
/// moved: a `Rearrangement` says which.
///
/// - Complexity: O(*n* log *n*) reads, writes in proportion to what differs; 45 bytes an item.
struct StripReplacement {
  private let session: Session
  private let strip: StripRow
  private var changes: RowChanges
  private let former: Positions
  /// Whether the former item at an index has come again.
  private var hasCome: [Bool]
  /// For each item that has come, the index of the former one; -1 where there is none.
  private var indices: [Int32] = []
  /// The ids that have come.
  private var seen = SeenIds()
  /// What has come and was not looked up yet.
  private var batch: [Item] = []
  /// The kinds that the strip had, and those that have come.
  private var kinds: KindTable
  /// How many items have come that were not there before.
  private var arrivals = 0
  private let coming: ComingItems

  /// So many are looked up at once.
  private static let batchSize = 1000

  /// - Parameters:
  ///   - coming: what it held before is let go.
  ///   - strip: as it was.
  /// - Precondition: Its layout is folded.
  init(
    _ session: Session, _ coming: ComingItems, of strip: StripRow, _ succession: Succession
  ) throws {
    self.session = session
    self.strip = strip
    changes = RowChanges(session, of: strip, succession)
    var former = Positions()
    let next = try Chunks(session: session, strip: strip.number).all()
    while let chunk = try next() { former.append(chunk.place) }
    self.former = former
    hasCome = [Bool](repeating: false, count: former.count)
    indices.reserveCapacity(former.count)
    kinds = KindTable(names: strip.kinds)
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

  /// Whether an item of this kind can come: the kinds that the strip had stay, also where no item
  /// has them any more.
  mutating func hasRoom(for kind: String) -> Bool { (try? kinds.number(of: kind)) != nil }

  /// Takes the first items that the strip has, before any other: they have come, just as they are.
  ///
  /// - Parameter ids: theirs.
  mutating func keep(first count: Int, _ ids: SeenIds) throws {
    guard count <= former.count else {
      throw CatalogueError.corrupt("the layout has fewer items than the strip")
    }
    for index in 0..<count { hasCome[index] = true }
    indices.append(contentsOf: 0..<Int32(count))
    seen = ids
  }

  /// Takes the next item, of a kind that there is room for.
  ///
  /// - Throws: `.invalid` for an id that has come already; it is not taken then.
  mutating func add(_ item: Item) throws {
    if seen.mayHold(item.id) {
      try settle()
      guard try !hasCome(item.id) else {
        throw CatalogueError.invalid("id: \"\(item.id)\" is there already")
      }
    }
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
  mutating func finish() throws -> Succession? {
    try settle()
    let plan = Rearrangement(of: former, to: indices)
    let gone = hasCome.indices.filter { !hasCome[$0] }
    guard changes.count + gone.count + plan.moved.count <= Self.most else { return nil }
    for indices in gone.batches { _ = try changes.take(indices.map { former[$0] }) }
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
      try changes.put(zip(places, items).map { (plan.positions[$0], $1) })
    }
    return try changes.finish()
  }

  /// Whether the item of this id has come, of those that were looked up.
  private func hasCome(_ id: String) throws -> Bool {
    if let position = try session.position(of: id, in: strip) {
      return try hasCome[index(of: position)]
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
      if let (position, old) = found[Array(item.id.utf8)] {
        let index = try index(of: position)
        if old != item { differing.append((position, item)) }
        hasCome[index] = true
        indices.append(Int32(index))
      } else {
        new.append((indices.count, item))
        indices.append(-1)
      }
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
