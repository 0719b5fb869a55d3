import Foundation

/// The time of day, of which revisions and tokens are made.
enum WallClock {
  /// Microseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }
}
