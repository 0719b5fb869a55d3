import GRDB
import Items
import Windowing

/// A strip while a batch changes it: what is to be in its rows, written once at the end.
///
/// An insert or a move takes positions between its neighbours and touches no other row. Where a gap
/// is used up, neighbours move apart: sixteen on either side, or as many more as it takes.
struct StagedStrip: EditableItems {
  private let db: Database
  private let strip: Int64
  private var kinds: KindTable
  private var knownKinds: Int
  private var layout: StagedLayout
  /// What is to be at a position; nil for nothing.
  private var rows: [Int64: Item?] = [:]
  /// Where an item is to be, by the bytes of its id; nil for nowhere.
  private var places: [[UInt8]: Int64?] = [:]

  /// - Parameter kinds: the names of the strip's kinds, by number.
  init(_ db: Database, strip: Int64, kinds: [String]) {
    self.db = db
    self.strip = strip
    self.kinds = KindTable(names: kinds)
    knownKinds = kinds.count
    layout = StagedLayout(db, strip: strip)
  }

  mutating func item(_ id: String) throws -> Item? {
    if let place = places[Array(id.utf8)] {
      guard let place else { return nil }
      return try item(at: place)
    }
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT \(StoredItem.columns), position FROM item WHERE strip = ? AND id = ?
          """), arguments: [strip, id])
    guard let row else {
      places[Array(id.utf8)] = .some(nil)
      return nil
    }
    let position: Int64 = try row.required("position")
    let item = try StoredItem.item(row, kinds: kinds.names)
    places[Array(id.utf8)] = position
    return item
  }

  mutating func insert(_ items: [Item], _ place: Edit.Place) throws {
    var low: Int64?
    var high: Int64?
    switch place {
    case .before(let id):
      high = try id.map { try position(of: $0) }
      low = try layout.position(before: high)
    case .after(let id):
      low = try id.map { try position(of: $0) }
      high = try layout.position(after: low)
    }
    let positions =
      try Spacing.positions(items.count, between: low, and: high).map { Array($0) }
      ?? makeRoom(for: items.count, between: low, and: high)
    for (item, position) in zip(items, positions) { try put(item, at: position) }
  }

  mutating func replace(_ item: Item) throws {
    let position = try position(of: item.id)
    try layout.replace(entry(item, at: position))
    rows[position] = item
  }

  mutating func remove(_ id: String) throws {
    try take(at: position(of: id), id)
  }

  /// By how much the sums over the strip's items have changed.
  var difference: StripTotals { layout.difference }

  /// Writes everything: kinds, items, layout.
  mutating func finish(_ succession: Succession) throws {
    for number in knownKinds..<kinds.names.count {
      try db.cachedStatement(sql: "INSERT INTO kind (strip, number, name) VALUES (?, ?, ?)")
        .execute(arguments: [strip, number, kinds.names[number]])
    }
    let changed = rows.keys.sorted()
    let delete = try db.cachedStatement(sql: "DELETE FROM item WHERE strip = ? AND position = ?")
    for position in changed {
      try succession.supersedeItem(at: position)
      try delete.execute(arguments: [strip, position])
    }
    for position in changed {
      guard case let item?? = rows[position] else { continue }
      try StoredItem.insert(
        item, at: position, kind: kinds.number(of: item.kind), strip: strip, db)
    }
    try layout.finish(succession)
  }

  // MARK: - Rows

  private mutating func position(of id: String) throws -> Int64 {
    if places[Array(id.utf8)] == nil { _ = try item(id) }
    guard case let position?? = places[Array(id.utf8)] else {
      preconditionFailure("An item is looked up before it is changed.")
    }
    return position
  }

  private func item(at position: Int64) throws -> Item? {
    if let item = rows[position] { return item }
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT \(StoredItem.columns) FROM item WHERE strip = ? AND position = ?"),
      arguments: [strip, position])
    return try row.map { try StoredItem.item($0, kinds: kinds.names) }
  }

  private mutating func put(_ item: Item, at position: Int64) throws {
    try layout.insert(entry(item, at: position))
    rows[position] = item
    places[Array(item.id.utf8)] = position
  }

  private mutating func entry(
    _ item: Item, at position: Int64
  ) throws -> StagedLayout.Entry {
    let packed = PackedItem(
      aspect: item.aspect, width: item.width, kind: try kinds.number(of: item.kind))
    return StagedLayout.Entry(position: position, packed: packed, group: item.group)
  }

  private mutating func take(at position: Int64, _ id: String) throws {
    try layout.remove(at: position)
    rows[position] = .some(nil)
    places[Array(id.utf8)] = .some(nil)
  }

  // MARK: - Room

  /// Moves neighbours apart, as few as it takes, and gives the positions between them that are free
  /// then.
  ///
  /// The more are moved, the nearer they may stay: who moves 16 leaves 1024 between two, who moves
  /// 32 leaves 512. So a place where much is inserted is moved apart the more widely, and the rows
  /// rewritten for each insert are few on the whole.
  private mutating func makeRoom(
    for count: Int, between low: Int64?, and high: Int64?
  ) throws -> [Int64] {
    var before: [Int64] = []
    var after: [Int64] = []
    var (low, high) = (low, high)
    var reach = 16
    while true {
      while before.count < reach, let next = low {
        before.append(next)
        low = try layout.position(before: next)
      }
      while after.count < reach, let next = high {
        after.append(next)
        high = try layout.position(after: next)
      }
      let all = before.count + count + after.count
      let least = max(2, 16_384 / Int64(reach))
      if let free = Spacing.evenly(all, between: low, and: high, least: least) {
        return try respread(before.reversed(), after, over: Array(free))
      }
      reach *= 2
      precondition(reach < 1 << 40, "Positions are sparse: somewhere there is room.")
    }
  }

  /// Puts the items that are at `before` and `after` to the first and last of `free`; what is left
  /// between is given back.
  private mutating func respread(
    _ before: [Int64], _ after: [Int64], over free: [Int64]
  ) throws -> [Int64] {
    let moved = try (before + after).map { position in
      guard let item = try item(at: position) else {
        throw CatalogueError.corrupt("the layout has an item at \(position), and there is none")
      }
      try take(at: position, item.id)
      return item
    }
    for (item, position) in zip(moved.prefix(before.count), free) { try put(item, at: position) }
    for (item, position) in zip(moved.suffix(after.count), free.suffix(after.count)) {
      try put(item, at: position)
    }
    return Array(free[before.count..<free.count - after.count])
  }
}
