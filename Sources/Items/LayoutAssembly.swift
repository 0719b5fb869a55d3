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
  private var positions = Positions()
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
    positions.append(chunk.place)
    chunks.append(chunk)
    count += chunk.place.count
    if count >= Self.partSize { turn() }
  }

  /// - Throws: `.corrupt` for items that none of ours could be.
  mutating func finish() throws(CatalogueError) -> PlacedStrip {
    let last = try Self.strip(chunks, kinds, itemWidth)
    guard parts > 0 else { return PlacedStrip(last, at: positions) }
    var strip = Strip(kinds: kinds)
    for part in try made.all() { strip.insert(contentsOf: part, at: strip.count) }
    strip.insert(contentsOf: last, at: strip.count)
    return PlacedStrip(strip, at: positions)
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
  ) throws(CatalogueError) -> Strip {
    var pieces = Pieces(of: chunks.reduce(0) { $0 + $1.place.count })
    for chunk in chunks {
      pieces.append(try chunk.packed(itemWidth: itemWidth, kinds: kinds.count))
    }
    var strip = Strip(kinds: kinds, pieces: pieces.all)
    strip.setGroups(chunks.flatMap(\.runs))
    return strip
  }
}

/// Items in pieces as a strip is made of them: all full, but for the last, which has no more room
/// than it needs.
private struct Pieces {
  private(set) var all: [ContiguousArray<PackedItem>] = []
  /// How many items have no room in a piece yet.
  private var missing: Int
  /// For how many items the last one has room.
  private var room = 0

  /// - Parameter count: how many items come.
  init(of count: Int) { missing = count }

  mutating func append(_ items: ContiguousArray<PackedItem>) {
    var rest = items[...]
    while !rest.isEmpty {
      if room == 0 {
        room = min(missing, Strip.pieceCapacity)
        missing -= room
        all.append([])
        all[all.count - 1].reserveCapacity(room)
      }
      let count = min(room, rest.count)
      all[all.count - 1].append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
      room -= count
    }
  }
}

/// Parts that are made on several threads.
private final class Parts: Sendable {
  private let made = Mutex<[Int: Result<Strip, CatalogueError>]>([:])
  private let begun = Atomic(0)
  private let done = Atomic(0)
  private let group = DispatchGroup()

  /// How many are being made, or wait to be.
  var waiting: Int { begun.load(ordering: .relaxed) - done.load(ordering: .relaxed) }

  func make(
    _ part: Int, here: Bool, _ body: @escaping @Sendable () throws(CatalogueError) -> Strip
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
  func all() throws(CatalogueError) -> [Strip] {
    group.wait()
    let made = made.withLock { $0 }
    var strips: [Strip] = []
    for (_, result) in made.sorted(by: { $0.key < $1.key }) { strips.append(try result.get()) }
    return strips
  }
}
