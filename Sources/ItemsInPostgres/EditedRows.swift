import Catalogue
import Windowing

/// A strip while a batch changes it: what is to be in its rows, written at the end in a few
/// statements, however many items there are.
///
/// An insert or a move takes positions between its neighbours and touches no other row.
struct EditedRows: EditableItems {
  private let session: Session
  private let strip: StripRow
  private var changes: RowChanges
  /// What is to be at a position; nil for nothing.
  private var rows: [Int64: Item?] = [:]
  /// Where an item is to be, by the bytes of its id; nil for nowhere.
  private var places: [[UInt8]: Int64?] = [:]
  /// The positions of `rows` that a change has touched, and whether the table has an item there.
  private var touched: [Int64: Bool] = [:]
  /// Those of them where the table has nothing and an item is to be, in order.
  private var added: [Int64] = []

  /// - Parameter ids: the items that will be asked for.
  init(
    _ session: Session, strip: StripRow, _ succession: RevisionWriter, ids: [String]
  ) throws {
    self.session = session
    self.strip = strip
    changes = RowChanges(session, of: strip, succession)
    for id in ids { places[Array(id.utf8)] = .some(nil) }
    for (position, item) in try session.items(of: ids, in: strip, kinds: strip.kinds) {
      places[Array(item.id.utf8)] = position
      rows[position] = item
    }
  }

  func item(_ id: String) throws -> Item? {
    guard let place = places[Array(id.utf8)] else {
      preconditionFailure("All items of a batch are looked up before it is applied.")
    }
    return try place.flatMap { try item(at: $0) }
  }

  mutating func insert(_ items: [Item], _ place: Edit.Place) throws {
    var low: Int64?
    var high: Int64?
    switch place {
    case .before(let id):
      high = id.map { position(of: $0) }
      low = try position(before: high)
    case .after(let id):
      low = id.map { position(of: $0) }
      high = try position(after: low)
    }
    let positions =
      try PositionAllocator.positions(items.count, between: low, and: high).map { Array($0) }
      ?? makeRoom(for: items.count, between: low, and: high)
    for (item, position) in zip(items, positions) { try put(item, at: position) }
  }

  mutating func replace(_ item: Item) throws {
    try change(position(of: item.id), to: item)
  }

  mutating func remove(_ id: String) throws {
    try change(position(of: id), to: nil)
    places[Array(id.utf8)] = .some(nil)
  }

  // MARK: - Rows

  private func position(of id: String) -> Int64 {
    guard case let position?? = places[Array(id.utf8)] else {
      preconditionFailure("An item is looked up before it is changed.")
    }
    return position
  }

  private func item(at position: Int64) throws -> Item? {
    if let item = rows[position] { return item }
    return try session.items(at: [position], in: strip, kinds: strip.kinds)[position]
  }

  private mutating func put(_ item: Item, at position: Int64) throws {
    try change(position, to: item)
    places[Array(item.id.utf8)] = position
  }

  private mutating func change(_ position: Int64, to item: Item?) throws {
    let former = try self.item(at: position)
    try changes.admit(item, inPlaceOf: former)
    if touched[position] == nil { touched[position] = former != nil }
    if touched[position] == false { note(position, isThere: item != nil) }
    rows[position] = .some(item)
  }

  private mutating func note(_ position: Int64, isThere: Bool) {
    let place = added.firstPlace(notBefore: position)
    let wasThere = place < added.count && added[place] == position
    if wasThere, !isThere { added.remove(at: place) }
    if !wasThere, isThere { added.insert(position, at: place) }
  }

  // MARK: - Neighbours

  /// The position of the item before `position`, of the last one without.
  private func position(before position: Int64?) throws -> Int64? {
    let limit = position ?? .max
    var stored: Int64? = limit
    repeat {
      stored =
        try session.run(
          "SELECT max(position) FROM item WHERE strip = $1 AND position < $2",
          [.integer(strip.number), .integer(stored ?? limit)]
        ).first { try $0.optionalInteger(0) } ?? nil
    } while isRemoved(stored)
    let place = added.firstPlace(notBefore: limit)
    return [stored, place > 0 ? added[place - 1] : nil].compactMap(\.self).max()
  }

  /// The position of the item after `position`, of the first one without.
  private func position(after position: Int64?) throws -> Int64? {
    let limit = position ?? .min
    var stored: Int64? = limit
    repeat {
      stored =
        try session.run(
          "SELECT min(position) FROM item WHERE strip = $1 AND position > $2",
          [.integer(strip.number), .integer(stored ?? limit)]
        ).first { try $0.optionalInteger(0) } ?? nil
    } while isRemoved(stored)
    let place = added.firstPlace(notBefore: limit == .min ? limit : limit + 1)
    return [stored, place < added.count ? added[place] : nil].compactMap(\.self).min()
  }

  private func isRemoved(_ position: Int64?) -> Bool {
    guard let position, let row = rows[position] else { return false }
    return row == nil
  }

  /// Moves neighbours apart, as few as it takes, and gives the positions between them that are free
  /// then: those that `PositionAllocator.room` chooses.
  private mutating func makeRoom(
    for count: Int, between low: Int64?, and high: Int64?
  ) throws -> [Int64] {
    let known = self
    let room = try PositionAllocator.room(
      for: count, between: low, and: high,
      before: { try known.position(before: $0) }, after: { try known.position(after: $0) })
    var moved: [Item] = []
    for position in room.before + room.after {
      guard let item = try item(at: position) else {
        throw CatalogueError.corrupt("there is no item at \(position)")
      }
      try change(position, to: nil)
      moved.append(item)
    }
    for (item, position) in zip(moved, room.newBefore + room.newAfter) {
      try put(item, at: position)
    }
    return room.free
  }

  // MARK: - Writing

  /// By how much the sums over the strip's items have changed, once it is finished.
  var difference: StripTotals { changes.difference }

  /// How many positions were touched.
  var changeCount: Int { changes.count }

  /// Writes everything, and gives the step that is to be the next revision.
  mutating func finish() throws -> RevisionWriter {
    _ = try changes.take(touched.filter(\.value).map(\.key))
    try changes.put(
      touched.keys.sorted().compactMap { position in
        guard case let item?? = rows[position] else { return nil }
        return (position, item)
      })
    return try changes.finish()
  }
}

extension [Int64] {
  /// The place of the first element that is not below `position`, in what ascends.
  fileprivate func firstPlace(notBefore position: Int64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
