import Items

/// The ids that a strip has, so that one that comes twice is found when it comes: by a hash of 64
/// bits each, and where that has been seen, in the table.
struct WrittenIds {
  private let session: Session
  private let strip: Int64
  private var hashes: Set<Int> = []

  /// - Complexity: O(*n*) in the items that the strip has, some ten bytes each.
  init(_ session: Session, strip: Int64) throws {
    self.session = session
    self.strip = strip
    var last = ""
    while true {
      let ids = try session.run(
        "SELECT id FROM item WHERE strip = $1 AND id > $2 ORDER BY id LIMIT 10000",
        [.integer(strip), .text(last)]
      ).map { try $0.text(0) }
      for id in ids { add(id) }
      guard let next = ids.last else { return }
      last = next
    }
  }

  mutating func add(_ id: String) { hashes.insert(Self.hash(id)) }

  /// Whether it may have been added; if not, it has not.
  func mayHold(_ id: String) -> Bool { hashes.contains(Self.hash(id)) }

  /// Whether it is in the table.
  func holds(_ id: String) throws -> Bool {
    try session.run(
      "SELECT FROM item WHERE strip = $1 AND id = $2", [.integer(strip), .text(id)]
    ).count > 0
  }

  private static func hash(_ id: String) -> Int {
    var (id, hasher) = (id, Hasher())
    id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }
}
