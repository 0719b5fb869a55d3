/// A cache of pools that survives edits of the strip.
///
///     var cache = PoolCache()
///     let pools = cache.pools(of: layout, stretch: .px(800))
///
/// Keep one beside a strip that changes. It needs no notice of edits: it compares the nodes of the
/// old tree and the new one. The results are always equal to ``Layout/pools(stretch:)``.
///
/// - Complexity: O(*n* / 2000) memory for each entry. Each entry retains the last strip that it was
///   computed for.
public struct PoolCache: Sendable {
  private struct Entry {
    let query: PoolQuery
    let parts: ChunkPools
    let pools: Pools
  }

  private let capacity: Int
  /// The most recently used entry is first.
  private var entries: [Entry] = []
  private var chunks: StripChunks?

  /// Makes a cache of at most `capacity` pairs of stretch and height. It evicts the least recently
  /// used pair.
  public init(capacity: Int = 32) { self.capacity = max(1, capacity) }

  /// The pools of a stretch; see ``Layout/pools(stretch:)``.
  ///
  /// - Complexity: O(1) for a cached strip. O(*n* / 2000 + items around the edits) after edits.
  ///   O(*n*) for a new pair of stretch and height.
  public mutating func pools(of layout: Layout, stretch: Length) -> Pools {
    guard let root = layout.strip.root else { return Pools([]) }
    let query = PoolQuery(layout, stretch: stretch)
    let chunks = chunks(of: root)
    let index = index(of: query)
    if let index, entries[index].parts.isOf(chunks) { return moveToFront(index).pools }
    let parts = ChunkPools(query, chunks, from: index.map { entries[$0].parts })
    let entry = Entry(query: query, parts: parts, pools: parts.pools())
    insert(entry)
    return entry.pools
  }

  /// The pools of a stretch, if they are cached for this version of the strip; else nil.
  ///
  /// - Complexity: O(1).
  public mutating func cachedPools(of layout: Layout, stretch: Length) -> Pools? {
    guard let root = layout.strip.root else { return Pools([]) }
    guard let index = index(of: PoolQuery(layout, stretch: stretch)),
      entries[index].parts.isOf(root)
    else { return nil }
    return moveToFront(index).pools
  }

  /// Whether the cache has the pools of a stretch for this strip or for an earlier version of it.
  /// ``pools(of:stretch:)`` is then faster than O(*n*).
  public func hasEntry(for layout: Layout, stretch: Length) -> Bool {
    layout.strip.root == nil || index(of: PoolQuery(layout, stretch: stretch)) != nil
  }

  /// Copies an entry from `other`. Threads use it to compute pools in a copy of a shared cache.
  public mutating func merge(_ other: PoolCache, for layout: Layout, stretch: Length) {
    guard let index = other.index(of: PoolQuery(layout, stretch: stretch)) else { return }
    insert(other.entries[index])
  }

  private func index(of query: PoolQuery) -> Int? {
    entries.firstIndex { $0.query == query }
  }

  private mutating func moveToFront(_ index: Int) -> Entry {
    if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
    return entries[0]
  }

  /// Inserts an entry at the front. It replaces the entry of the same query, or evicts the last.
  private mutating func insert(_ entry: Entry) {
    if let index = index(of: entry.query) {
      entries.remove(at: index)
    } else if entries.count >= capacity {
      entries.removeLast()
    }
    entries.insert(entry, at: 0)
  }

  private mutating func chunks(of root: Node) -> StripChunks {
    if let chunks, chunks.root.isIdentical(to: root) { return chunks }
    let new = StripChunks(root)
    chunks = new
    return new
  }
}
