import Catalogue
import Foundation
import SQLCatalogue
import Synchronization

/// A thread that receives notifications of changes, on a connection of its own.
///
/// A lost connection is reopened, less and less often. Notifications may have been missed then, so
/// `.anything` is reported. Every few seconds a statement checks the connection.
final class Follower: Sendable {
  private let isEnded = Atomic(false)

  /// - Parameter handler: is called on the thread. If it throws, the connection is reopened.
  init(_ address: ConnectionString, _ handler: @escaping @Sendable (ChangeNotice) throws -> Void) {
    Thread.detachNewThread { [weak self] in
      var pause = Self.firstPause
      while let follower = self, !follower.isEnded.load(ordering: .relaxed) {
        do {
          let session = try PostgresSession(to: address)
          try session.listen()
          try handler(.anything)
          pause = Self.firstPause
          try follower.follow(session, handler)
        } catch {
          Thread.sleep(forTimeInterval: pause)
          pause = min(2 * pause, Self.longestPause)
        }
      }
    }
  }

  /// Ends the thread within a fraction of a second.
  func end() { isEnded.store(true, ordering: .relaxed) }

  /// In seconds.
  private static let firstPause = 0.05
  private static let longestPause = 2.0
  private static let checkInterval = Duration.seconds(5)

  private func follow(
    _ session: PostgresSession, _ handler: (ChangeNotice) throws -> Void
  ) throws {
    var checked = ContinuousClock.now
    while !isEnded.load(ordering: .relaxed) {
      for text in Set(try session.notifications(within: 200)) {
        try handler(ChangeNotice(text: text))
      }
      guard ContinuousClock.now - checked > Self.checkInterval else { continue }
      try session.runScript("SELECT 1")
      try handler(.nothing)
      checked = .now
    }
  }
}
