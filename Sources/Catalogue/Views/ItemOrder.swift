/// The keys of a view's items in the view's order.
///
///     pages    │ 0            │ 1024         │ 2048 ...      the place of the first key
///              │ k7 k2 k9 ... │ k1 k4 ...    │               the keys
///
/// A value. An edit copies the page that it changes, and shares the others.
///
/// - Complexity: O(log *n*) to find a place; O(pages + keys of a page) to insert or remove a key.
struct ItemOrder: Sendable {
  private struct Page {
    var start: Int
    var keys: [Int64]
  }

  private static let (pageCount, pageLimit) = (1024, 2048)

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
      pages.append(Page(start: pages.count * ItemOrder.pageCount, keys: keys))
      keys = []
      keys.reserveCapacity(ItemOrder.pageCount)
    }

    consuming func finish() -> ItemOrder {
      let count = pages.count * ItemOrder.pageCount + keys.count
      if !keys.isEmpty {
        pages.append(Page(start: pages.count * ItemOrder.pageCount, keys: Array(keys[...])))
      }
      return ItemOrder(pages, count: count)
    }
  }

  /// About how many bytes the keys take.
  var cost: Int { 8 * count + 64 * pages.count }

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
      keys += page.keys[first..<min(page.keys.count, range.upperBound - page.start)]
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
      pages = [Page(start: 0, keys: [key])]
      return
    }
    let number = pages.lastPlace { $0.start <= place }
    pages[number].keys.insert(key, at: place - pages[number].start)
    for later in pages.indices[(number + 1)...] { pages[later].start += 1 }
    guard pages[number].keys.count > Self.pageLimit else { return }
    let keys = pages[number].keys
    let half = keys.count / 2
    let start = pages[number].start
    pages[number].keys = Array(keys[..<half])
    pages.insert(Page(start: start + half, keys: Array(keys[half...])), at: number + 1)
  }

  mutating func remove(at place: Int) {
    count -= 1
    let number = pages.lastPlace { $0.start <= place }
    pages[number].keys.remove(at: place - pages[number].start)
    for later in pages.indices[(number + 1)...] { pages[later].start -= 1 }
    if pages[number].keys.isEmpty { pages.remove(at: number) }
  }
}
