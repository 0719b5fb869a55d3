/// The keys of a view's items in the view's order.
///
///     pages    │ 0            │ 1024         │ 2048 ...      the place of the first key
///              │ k7 k2 k9 ... │ k1 k4 ...    │               the keys
///
/// A value. An edit copies the page that it changes, and shares the others.
///
/// - Complexity: O(log *n*) to find a place; O(pages + keys of a page) to insert or remove a key. A key takes
///   two bytes in the strip's order, and four in another order, unless edits have put items close together.
struct ItemOrder: Sendable {
  private struct Page {
    var start: Int
    var keys: PackedKeys
  }

  private static let pageCount = 1024
  private static let pageLimit = 2048

  private var pages: [Page] = []
  private(set) var count: Int

  private init(_ pages: [Page], count: Int) {
    self.pages = pages
    self.count = count
  }

  init(_ keys: [Int64]) {
    var builder = Builder()
    for key in keys { builder.append(key) }
    self = builder.finish()
  }

  /// Gathers keys in order.
  struct Builder {
    private var pages: [Page] = []
    private var keys: [Int64] = []

    init() { keys.reserveCapacity(ItemOrder.pageCount) }

    @inline(__always)
    mutating func append(_ key: Int64) {
      keys.append(key)
      if keys.count == ItemOrder.pageCount { flush() }
    }

    private mutating func flush() {
      pages.append(Page(start: pages.count * ItemOrder.pageCount, keys: PackedKeys(keys)))
      keys.removeAll(keepingCapacity: true)
    }

    consuming func finish() -> ItemOrder {
      let count = pages.count * ItemOrder.pageCount + keys.count
      if !keys.isEmpty { flush() }
      return ItemOrder(pages, count: count)
    }
  }

  /// About how many bytes the keys take.
  var cost: Int { pages.reduce(0) { $0 + 96 + $1.keys.cost } }

  subscript(place: Int) -> Int64 {
    let page = pages[pages.lastPlace { $0.start <= place }]
    return page.keys[place - page.start]
  }

  /// The keys at the places of `range`, in order.
  subscript(range: Range<Int>) -> [Int64] {
    guard !range.isEmpty else { return [] }
    var keys: [Int64] = []
    keys.reserveCapacity(range.count)
    var number = pages.lastPlace { $0.start <= range.lowerBound }
    while keys.count < range.count {
      let page = pages[number]
      let first = range.lowerBound + keys.count - page.start
      for place in first..<min(page.keys.count, range.upperBound - page.start) {
        keys.append(page.keys[place])
      }
      number += 1
    }
    return keys
  }

  /// The place of the first key that does not precede `key`.
  func firstPlace(notBefore key: Int64, by precedes: (Int64, Int64) -> Bool) -> Int {
    var (low, high) = (0, pages.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(pages[middle].keys[pages[middle].keys.count - 1], key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < pages.count else { return count }
    let page = pages[low]
    (low, high) = (0, page.keys.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(page.keys[middle], key) { low = middle + 1 } else { high = middle }
    }
    return page.start + low
  }

  mutating func insert(_ key: Int64, at place: Int) {
    count += 1
    guard !pages.isEmpty else {
      pages = [Page(start: 0, keys: PackedKeys([key]))]
      return
    }
    let number = pages.lastPlace { $0.start <= place }
    let start = pages[number].start
    var keys = pages[number].keys.all
    keys.insert(key, at: place - start)
    for later in pages.indices[(number + 1)...] { pages[later].start += 1 }
    guard keys.count > Self.pageLimit else {
      pages[number].keys = PackedKeys(keys)
      return
    }
    let half = keys.count / 2
    pages[number].keys = PackedKeys(Array(keys[..<half]))
    pages.insert(Page(start: start + half, keys: PackedKeys(Array(keys[half...]))), at: number + 1)
  }

  mutating func remove(at place: Int) {
    count -= 1
    let number = pages.lastPlace { $0.start <= place }
    var keys = pages[number].keys.all
    keys.remove(at: place - pages[number].start)
    for later in pages.indices[(number + 1)...] { pages[later].start -= 1 }
    pages[number].keys = PackedKeys(keys)
    if keys.isEmpty { pages.remove(at: number) }
  }
}

/// Keys as differences to the least one, without their low bits that are all zero.
private enum PackedKeys: Sendable {
  case packed(least: Int64, shift: Int64, Codes)
  /// Keys that differ too much.
  case plain([Int64])

  init(_ keys: [Int64]) {
    let least = keys.min() ?? 0
    let bits = keys.reduce(0) { $0 | ($1 &- least) }
    let shift = bits == 0 ? 0 : Int64(bits.trailingZeroBitCount)
    // A difference that overflows is negative.
    guard bits >= 0, bits >> shift <= UInt32.max else {
      self = .plain(Array(keys[...]))
      return
    }
    self = .packed(
      least: least, shift: shift,
      Codes(keys.map { UInt32(truncatingIfNeeded: ($0 &- least) >> shift) }))
  }

  var count: Int {
    switch self {
    case .packed(_, _, let codes): codes.count
    case .plain(let keys): keys.count
    }
  }

  var cost: Int {
    switch self {
    case .packed(_, _, let codes): codes.cost
    case .plain(let keys): 8 * keys.count
    }
  }

  subscript(place: Int) -> Int64 {
    switch self {
    case .packed(let least, let shift, let codes): least &+ Int64(codes[place]) << shift
    case .plain(let keys): keys[place]
    }
  }

  var all: [Int64] { (0..<count).map { self[$0] } }
}
