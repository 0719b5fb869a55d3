/// The starts of all items: the list knows where each item stands without a cell for it.
///
/// It takes O(n) to make, and O(n) after an edit in front. The visible items are found in O(log n).
struct Frames {
  /// The start of each item, and the end of the last one.
  private var starts: [Int]

  init(_ items: [Item]) {
    var end = 0
    starts = [0]
    for item in items {
      end += item.width
      starts.append(end)
    }
  }

  var count: Int { starts.count - 1 }

  func start(of index: Int) -> Int { starts[index] }
  func end(of index: Int) -> Int { starts[index + 1] }

  /// The items that meet the px of a viewport.
  func items(meeting px: Range<Int>) -> Range<Int> {
    let first = index { end(of: $0) > px.lowerBound }
    return first..<max(first, index { start(of: $0) >= px.upperBound })
  }

  /// The first index that passes. Those before it do not, those after it do.
  private func index(where passes: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if passes(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
