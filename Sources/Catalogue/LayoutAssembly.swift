@preconcurrency import Dispatch
import Synchronization
import Windowing

/// Makes a strip of a layout's chunks, in order, while the caller reads on.
///
///     reader      row row row row row row row row row row
///                     │           │           │
///     builders        └─ part ────┼─ part ─── │ ─┐
///                                 └─ part ────┴──┴─ joined: a strip, and where its items are
///
/// A part is made on another thread of those there are; a reader who is far ahead makes one itself,
/// so that what is held beside the strip stays within some parts. A strip of one part needs no other
/// thread.
///
/// - Complexity: O(*n*).
struct LayoutAssembly {
  /// So many items a part has at least: some 100 KB, which take less than a millisecond.
  private static let partSize = 100_000
  /// So many parts may wait to be made.
  private static let most = 8

  private let kinds: [String]
  private let itemWidth: Length
  /// The chunks of the next part, and how many items they have.
  private var chunks: [StoredChunk] = []
  private var count = 0
  private var parts = 0
  private let made = Parts()

  init(kinds: [String], itemWidth: Length) {
    self.kinds = kinds
    self.itemWidth = itemWidth
  }

  mutating func append(_ chunk: StoredChunk) {
    chunks.append(chunk)
    count += chunk.place.count
    if count >= Self.partSize { turn() }
  }

  /// - Throws: `.corrupt` for items that none of ours could be.
  mutating func finish() throws(CatalogueError) -> PlacedStrip {
    let last = try Self.strip(chunks, kinds, itemWidth)
    guard parts > 0 else { return last }
    return PlacedStrip(kinds: kinds, joining: try made.all() + [last])
  }

  private mutating func turn() {
    let (chunks, kinds, itemWidth, made, part) = (chunks, kinds, itemWidth, made, parts)
    self.chunks = []
    count = 0
    parts += 1
    made.make(part, here: made.waiting >= Self.most) { () throws(CatalogueError) in
      try Self.strip(chunks, kinds, itemWidth)
    }
  }

  private static func strip(
    _ chunks: [StoredChunk], _ kinds: [String], _ itemWidth: Length
  ) throws(CatalogueError) -> PlacedStrip {
    var part = LayoutPart(kinds: kinds, itemWidth: itemWidth)
    for chunk in chunks { try part.append(chunk) }
    return part.finish()
  }
}

/// Parts that are made on several threads.
private final class Parts: Sendable {
  private let made = Mutex<[Int: Result<PlacedStrip, CatalogueError>]>([:])
  private let begun = Atomic(0)
  private let done = Atomic(0)
  private let group = DispatchGroup()

  /// How many are being made, or wait to be.
  var waiting: Int { begun.load(ordering: .relaxed) - done.load(ordering: .relaxed) }

  func make(
    _ part: Int, here: Bool, _ body: @escaping @Sendable () throws(CatalogueError) -> PlacedStrip
  ) {
    begun.add(1, ordering: .relaxed)
    let work: @Sendable () -> Void = { [self] in
      let result = Result(catching: body)
      made.withLock { $0[part] = result }
      done.add(1, ordering: .relaxed)
    }
    if here { work() } else { DispatchQueue.global().async(group: group, execute: work) }
  }

  /// All parts in order, once they are made.
  func all() throws(CatalogueError) -> [PlacedStrip] {
    group.wait()
    let made = made.withLock { $0 }
    var strips: [PlacedStrip] = []
    for (_, result) in made.sorted(by: { $0.key < $1.key }) { strips.append(try result.get()) }
    return strips
  }
}
