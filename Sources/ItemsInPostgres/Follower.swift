import Catalogue
import Foundation
import Synchronization

/// A thread that hears what the database tells of changes, on a connection of its own.
///
/// When the connection is lost it is opened anew, at once and then less and less often, and as
/// nobody knows what was told meanwhile, everything is looked at. Every few seconds the connection
/// is asked whether it still leads anywhere.
final class Follower: Sendable {
  enum News: Sendable {
    /// This strip has changed.
    case strip(String)
    /// Strips have come or gone.
    case list
    /// Nobody knows what has changed.
    case anything
    /// All is well: told every few seconds.
    case nothing
  }

  private let isEnded = Atomic(false)

  /// Begins to listen.
  ///
  /// - Parameter take: called on the thread of this; where it throws the connection is made anew.
  init(_ address: Address, _ take: @escaping @Sendable (News) throws -> Void) {
    Thread.detachNewThread { [weak self] in
      var pause = Self.firstPause
      while let follower = self, !follower.isEnded.load(ordering: .relaxed) {
        do {
          let session = try Session(with: address)
          try session.listen()
          try take(.anything)
          pause = Self.firstPause
          try follower.follow(session, take)
        } catch {
          Thread.sleep(forTimeInterval: pause)
          pause = min(2 * pause, Self.longestPause)
        }
      }
    }
  }

  /// Ends the thread, within a moment.
  func end() { isEnded.store(true, ordering: .relaxed) }

  /// In seconds.
  private static let firstPause = 0.05
  private static let longestPause = 2.0
  private static let checking = Duration.seconds(5)

  private func follow(_ session: Session, _ take: (News) throws -> Void) throws {
    var checked = ContinuousClock.now
    while !isEnded.load(ordering: .relaxed) {
      var told: Set<String> = []
      for name in try session.notifications(within: 200) where told.insert(name).inserted {
        try take(name.isEmpty ? .list : .strip(name))
      }
      guard ContinuousClock.now - checked > Self.checking else { continue }
      try session.run("SELECT 1")
      try take(.nothing)
      checked = .now
    }
  }
}
