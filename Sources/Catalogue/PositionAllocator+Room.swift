extension PositionAllocator {
  /// Which neighbours move apart where a gap is used up, and what is free between them then.
  package struct Room {
    /// Where the items before the gap are, and will be, in order.
    package let before: [Int64]
    package let newBefore: [Int64]
    /// Where the items behind the gap are, and will be, in order.
    package let after: [Int64]
    package let newAfter: [Int64]
    /// Where the new items go.
    package let free: [Int64]
  }

  /// Makes room for items between two neighbours that are too near.
  ///
  /// Sixteen move on either side, or as many more as it takes. The more are moved, the nearer they
  /// may stay: who moves 16 leaves 1024 between two, who moves 32 leaves 512. So a place where much
  /// is inserted is moved apart the more widely, and the rows rewritten for each insert are few on
  /// the whole.
  ///
  /// - Parameters: `before` and `after` say the position of the item before or after one.
  package static func room(
    for count: Int, between low: Int64?, and high: Int64?,
    before: (Int64) throws -> Int64?, after: (Int64) throws -> Int64?
  ) rethrows -> Room {
    var lows: [Int64] = []
    var highs: [Int64] = []
    var (low, high) = (low, high)
    var reach = 16
    while true {
      while lows.count < reach, let next = low {
        lows.append(next)
        low = try before(next)
      }
      while highs.count < reach, let next = high {
        highs.append(next)
        high = try after(next)
      }
      let least = max(2, 16_384 / Int64(reach))
      if let places = evenly(
        lows.count + count + highs.count, between: low, and: high, least: least)
      {
        let all = Array(places)
        return Room(
          before: lows.reversed(), newBefore: Array(all.prefix(lows.count)),
          after: highs, newAfter: Array(all.suffix(highs.count)),
          free: Array(all[lows.count..<all.count - highs.count]))
      }
      reach *= 2
      precondition(reach < 1 << 40, "Positions are sparse: somewhere there is room.")
    }
  }
}
