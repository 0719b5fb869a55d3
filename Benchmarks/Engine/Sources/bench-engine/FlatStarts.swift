import Windowing

/// What the tree is compared with: all starts in one array of 64-bit sums.
struct FlatStarts {
  private var starts = ContiguousArray<Int64>()

  init(_ layout: Layout) {
    starts.reserveCapacity(layout.count)
    let pools = Pools([1, 1, 1, 1])
    for low in stride(from: 0, to: layout.count, by: 4_096) {
      let part = layout.window(of: low..<min(layout.count, low + 4_096), pools: pools)
      for item in part.items { starts.append(item.start.units) }
    }
  }

  /// The first and the end of a window, by two binary searches.
  func items(meeting x: Length, _ width: Length) -> Range<Int> {
    max(0, lowerBound(x.units + 1) - 1)..<lowerBound((x + width).units)
  }

  private func lowerBound(_ position: Int64) -> Int {
    starts.withUnsafeBufferPointer { starts in
      var low = 0
      var high = starts.count
      while low < high {
        let middle = (low &+ high) / 2
        if starts[middle] < position { low = middle &+ 1 } else { high = middle }
      }
      return low
    }
  }
}
