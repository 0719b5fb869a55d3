/// Ids that have been seen, by a hash of 64 bits each: it may say so of one that has not, never the
/// other way round.
///
/// - Complexity: O(1) each; some ten bytes an id.
struct SeenIds {
  private var hashes: Set<Int> = []

  mutating func add(_ id: String) { hashes.insert(Self.hash(id)) }

  /// Whether it may have been added; if not, it has not.
  func mayHold(_ id: String) -> Bool { hashes.contains(Self.hash(id)) }

  private static func hash(_ id: String) -> Int {
    var (id, hasher) = (id, Hasher())
    id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }
}
