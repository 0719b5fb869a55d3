import Foundation

/// The time of day, of which revisions and tokens are made.
package enum WallClock {
  /// Microseconds since 1970.
  package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }
}
