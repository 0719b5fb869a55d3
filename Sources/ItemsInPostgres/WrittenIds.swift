import Catalogue

/// The ids that a strip has, so that one that comes twice is found when it comes: where its hash has
/// been seen, in the table.
///
/// Those that were there before are asked for one by one, until so many have been that it would have
/// been as well to read all of them; then they are.
///
/// - Complexity: O(*k*) in the items that come, some ten bytes each.
struct WrittenIds {
  private let session: Session
  private let strip: StripRow
  private var seen = SeenIds()
  /// How many ids have been asked for; nil once all are read.
  private var askedCount: Int?

  /// As many ids are read in the time that asking for one takes.
  private static let readCount = 50

  /// - Parameter strip: with as many items as its table has.
  init(_ session: Session, of strip: StripRow) {
    self.session = session
    self.strip = strip
    askedCount = strip.totals.count > 0 ? 0 : nil
  }

  mutating func add(_ id: String) { seen.add(id) }

  /// Whether it may be there; if not, it is not.
  mutating func mayHold(_ id: String) throws -> Bool {
    if seen.mayHold(id) { return true }
    guard let asked = askedCount else { return false }
    guard asked * Self.readCount < strip.totals.count else {
      try readAll()
      return seen.mayHold(id)
    }
    askedCount = asked + 1
    return try holds(id)
  }

  /// Whether it is in the table.
  func holds(_ id: String) throws -> Bool {
    try session.run(
      "SELECT FROM item WHERE strip = $1 AND id = $2", [.integer(strip.number), .text(id)]
    ).count > 0
  }

  private mutating func readAll() throws {
    askedCount = nil
    var last = ""
    while true {
      let ids = try session.run(
        "SELECT id FROM item WHERE strip = $1 AND id > $2 ORDER BY id LIMIT 10000",
        [.integer(strip.number), .text(last)]
      ).map { try $0.text(0) }
      for id in ids { add(id) }
      guard let next = ids.last else { return }
      last = next
    }
  }
}
