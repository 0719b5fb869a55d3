/// The lengths that pools are found for: 8, 9 ... 15, 16, 18 ... 30, 32, 36 ... px, k x 2^m with
/// k from 8 to 15, so that few are ever asked for.
public enum Ladder {
  /// The least rung that is `stretch` or more; at least 8 px.
  ///
  /// - Precondition: `stretch` is at most 2^47 px.
  /// - Complexity: O(1).
  public static func up(_ stretch: Length) -> Length {
    precondition(stretch <= .farthest, "A stretch is at most 2^47 px.")
    let units = max(stretch.units, 8 * Length.unitsPerPixel)
    let step = step(at: units)
    return Length(units: (units + step - 1) / step * step)
  }

  /// The greatest rung that is `height` or less. Below 8 px, where the contract needs none, the
  /// ladder goes on downward in the same way, to whole units.
  ///
  /// - Complexity: O(1).
  public static func down(_ height: Length) -> Length {
    let units = max(height.units, 0)
    let step = step(at: units)
    return Length(units: units / step * step)
  }

  /// The distance between the rungs around a length: the power of two that leaves 8 ... 15.
  private static func step(at units: Int64) -> Int64 {
    let bits = Int64.bitWidth - units.leadingZeroBitCount
    return 1 << max(0, bits - 4)
  }
}
