extension Positions {
  /// Bytes that this takes, about.
  package var weight: Int {
    chunks.reduce(0) { sum, placed in
      if case .each(let positions) = placed.chunk.spacing {
        sum + 80 + 8 * positions.count
      } else {
        sum + 48
      }
    }
  }
}
