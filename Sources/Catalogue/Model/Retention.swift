import Foundation

/// How long old revisions of a strip can be read: see "An earlier revision" in `Documentation/Storage.md`.
///
/// A revision is held while it is one of the newest `revisions`, and for `microseconds` after it was superseded. It is
/// dropped earlier if it and later revisions have superseded more than `bytes`. The revision before the newest is always
/// held.
package enum Retention {
  package static let revisions: Int64 = 64
  package static let microseconds: Int64 = 60_000_000
  package static let bytes: Int64 = 64_000_000
  /// The number of removed strips whose last revision the store keeps.
  package static let removedStrips: Int64 = 10_000
}

package enum Revision {
  /// The revision of a strip that is created or replaced: above the clock and the previous revision.
  ///
  /// - Parameters:
  ///   - clock: microseconds since 1970: the first revision.
  ///   - previous: the last revision of the strip, or of a removed strip of the same name.
  package static func next(clock: Int64, after previous: Int64?) -> Int64 {
    previous.map { max(clock, $0) + 1 } ?? clock
  }
}

/// The system's clock, for revisions and tokens.
package enum WallClock {
  /// Microseconds since 1970.
  package static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }
}
