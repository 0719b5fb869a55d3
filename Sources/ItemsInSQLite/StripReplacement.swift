import Catalogue
import Foundation
import GRDB

/// Puts other items in the place of a strip's, and writes only what differs.
///
/// Each item is looked for behind the one that came before it, and by its id where it is not there;
/// where it says something else it is written over. When all have come, those that are gone are
/// deleted, and as few as can be are moved: the others are a longest run of items that stand in the
/// same order as before.
///
/// An item of a kind that there is no room for yet, beside those of items that may be gone, takes the
/// place of the former one at the end.
///
/// - Complexity: O(*n* log *n*) reads, writes in proportion to what differs; 15 bytes an item.
struct StripReplacement {
  private let db: Database
  private var changes: RowChanges
  private let former: Positions
  /// What has become of the former item at an index.
  private var fates: [Fate]
  /// For each item that has come, the index of the former one; -1 where there is none.
  private var indices: [Int32] = []
  /// The index of the former item that comes next if nothing has come, gone or moved there.
  private var next = 0
  private let stage: Statement
  /// The kinds that have come.
  private var kinds = KindTable()
  /// How many items have come that wait to be put where none is.
  private var arrivals = 0

  private enum Fate: UInt8 {
    case hasNotCome, stays
    /// It goes, and the one that has come for it is put there as a new one.
    case givesWay
  }

  /// - Precondition: The strip's layout is folded.
  init(_ db: Database, of strip: StripRow, succession: RevisionWriter) throws {
    self.db = db
    changes = try RowChanges(db, of: strip, succession: succession)
    former = try Positions(of: strip, db)
    fates = [Fate](repeating: .hasNotCome, count: former.count)
    indices.reserveCapacity(former.count)
    try db.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS coming (
          place INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, json TEXT NOT NULL);
        DELETE FROM coming;
        """)
    stage = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO coming (place, id, json) VALUES (?, ?, ?)")
  }

  /// By how much the sums over the strip's items have changed.
  var difference: StripTotals { changes.difference }

  /// Whether so much differs that the strip is better made anew.
  var isAnother: Bool { changes.count + arrivals > Self.most }

  /// Whether those that have come are the former ones, in their order, and say what those said.
  var isSame: Bool { changes.count == 0 && indices.elementsEqual(0..<Int32(former.count)) }

  /// So many changes of one revision can be held in memory, and read by whoever follows.
  private static let most = 500_000

  /// Takes the first items that the strip has, before any other: they have come, just as they are.
  ///
  /// - Parameter kinds: those of these items.
  mutating func keep(first count: Int, _ kinds: KindTable) throws {
    guard count <= former.count else {
      throw CatalogueError.corrupt("the layout has fewer items than the strip")
    }
    for index in 0..<count { fates[index] = .stays }
    indices.append(contentsOf: 0..<Int32(count))
    next = count
    self.kinds = kinds
  }

  /// Takes the next item.
  ///
  /// - Throws: `.invalid` for an id that has come already or a 65th kind; it is not taken then.
  mutating func add(_ item: Item) throws {
    var kinds = kinds
    _ = try kinds.number(of: item.kind)
    if let (old, index) = try find(item.id) {
      guard fates[index] == .hasNotCome else { throw Self.isThere(item) }
      if try writes(item, over: old, at: former[index]) {
        fates[index] = .stays
        indices.append(Int32(index))
      } else {
        try arrive(item)
        fates[index] = .givesWay
      }
      next = index + 1
    } else {
      try arrive(item)
    }
    self.kinds = kinds
  }

  /// Writes an item over the former one where it says something else.
  ///
  /// - Returns: false where there is no room for its kind yet.
  private mutating func writes(_ item: Item, over old: Item, at position: Int64) throws -> Bool {
    guard !old.isSame(as: item) else { return true }
    let place = try changes.place(of: old, at: position)
    guard changes.hasRoom(for: item.kind, at: place) else { return false }
    try changes.update(item, at: place)
    return true
  }

  private mutating func arrive(_ item: Item) throws {
    try stage(item, place: indices.count)
    indices.append(-1)
    arrivals += 1
  }

  /// The former item of this id, as it is now, and its index.
  private func find(_ id: String) throws -> (Item, Int)? {
    if next < former.count {
      let item = try changes.rows.item(at: former[next], kinds: changes.kindNames)
      if let item, item.id.utf8.elementsEqual(id.utf8) { return (item, next) }
    }
    guard let (item, position) = try changes.rows.item(id, kinds: changes.kindNames) else {
      return nil
    }
    guard let index = former.index(of: position) else {
      throw CatalogueError.corrupt("the layout has no item at \(position)")
    }
    return (item, index)
  }

  /// Gives the items that have come, in order.
  func forEach(_ body: (Item) throws -> Void) throws {
    let staged = try db.makeStatement(sql: "SELECT json FROM coming WHERE place = ?")
    for place in indices.indices {
      if indices[place] < 0 {
        let json = try String.fetchOne(staged, arguments: [place]) ?? ""
        try body(Item(json: Array(json.utf8)))
      } else {
        let position = former[Int(indices[place])]
        guard let item = try changes.rows.item(at: position, kinds: changes.kindNames) else {
          throw CatalogueError.corrupt("there is no item at \(position)")
        }
        try body(item)
      }
    }
  }

  /// Brings the items into the order in which they came, and lets go of those that did not come.
  ///
  /// - Returns: nil where too much differs: then nothing of this has been done.
  mutating func finish() throws -> RevisionWriter? {
    let staying = LongestIncreasingSubsequence.places(of: indices)
    let gone = fates.count { $0 == .hasNotCome }
    let moved = indices.count - arrivals - staying.count
    guard changes.count + arrivals + gone + moved <= Self.most else { return nil }
    for index in fates.indices where fates[index] != .stays {
      try changes.remove(changes.item(at: former[index]).1)
    }
    fates = []
    try takeOutAllBut(staying)
    var placed = 0
    var low: Int64?
    for place in staying {
      low = try put(placed..<Int(place), after: low)
      low = changes.position(formerly: former[Int(indices[Int(place)])])
      placed = Int(place) + 1
    }
    _ = try put(placed..<indices.count, after: low)
    try db.execute(sql: "DELETE FROM coming")
    return try changes.finish()
  }

  /// Takes out the items that are to stand elsewhere.
  private mutating func takeOutAllBut(_ staying: [Int32]) throws {
    var next = 0
    for place in indices.indices {
      if next < staying.count, Int(staying[next]) == place {
        next += 1
      } else if indices[place] >= 0 {
        let (item, old) = try changes.item(at: former[Int(indices[place])])
        try changes.remove(old)
        try stage(item, place: place)
      }
    }
  }

  /// Puts the staged items of these places behind a position.
  private mutating func put(_ places: Range<Int>, after low: Int64?) throws -> Int64? {
    guard !places.isEmpty else { return low }
    let high = try changes.rows.position(after: low)
    let positions = try changes.positions(for: places.count, between: low, and: high)
    let staged = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT json FROM coming WHERE place BETWEEN ? AND ? ORDER BY place"),
      arguments: [places.lowerBound, places.upperBound - 1])
    for position in positions {
      guard let row = try staged.next() else { break }
      try changes.put(Item(json: Array((row[0] as String).utf8)), at: position)
    }
    return positions.last
  }

  private func stage(_ item: Item, place: Int) throws {
    try stage.execute(arguments: [
      place, Data(item.id.utf8), String(decoding: item.json, as: UTF8.self),
    ])
    guard db.changesCount == 1 else { throw Self.isThere(item) }
  }

  private static func isThere(_ item: Item) -> CatalogueError {
    .invalid("id: \"\(item.id)\" is there already")
  }
}

extension Positions {
  /// The positions that a folded layout has.
  fileprivate init(of strip: StripRow, _ db: Database) throws {
    self.init()
    let chunks = try LayoutRows(db, strip: strip.number).all()
    while let chunk = try chunks() { append(chunk.place) }
  }
}

extension Item {
  /// Whether both say the same, bytes compared.
  fileprivate func isSame(as other: Item) -> Bool {
    kind == other.kind && aspect == other.aspect && width == other.width
      && group.isSameGroup(as: other.group) && fields == other.fields
  }
}
