import Catalogue
import Foundation
import SQLCatalogue
import Synchronization

/// A thread that receives notifications of changes, on a connection of its own.
///
/// A lost connection is reopened, less and less often. Notifications may have been missed then, so
/// `.anything` is reported. Every few seconds a statement checks the connection. A standby has no
/// notifications: there the thread asks ten times a second what the standby has replayed.
final class Follower: Sendable {
  /// What the thread knows of the server.
  enum ServerRole: Sendable { case unknown, primary, standby, unreachable }

  private let isEnded = Atomic(false)
  private let state = Mutex(ServerRole.unknown)
  var role: ServerRole { state.withLock { $0 } }

  /// - Parameter handler: is called on the thread. If it throws, the connection is reopened.
  init(_ address: ConnectionString, _ handler: @escaping @Sendable (ChangeNotice) throws -> Void) {
    Thread.detachNewThread { [weak self] in
      var pause = Self.firstPause
      while let follower = self, !follower.isEnded.load(ordering: .relaxed) {
        do {
          let session = try PostgresSession(to: address)
          let isStandby = try session.replayPosition() != nil
          if !isStandby { try session.listen() }
          follower.state.withLock { $0 = isStandby ? .standby : .primary }
          try handler(.anything)
          pause = Self.firstPause
          try isStandby ? follower.poll(session, handler) : follower.follow(session, handler)
        } catch {
          follower.state.withLock { $0 = .unreachable }
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
  private static let pollInterval = 0.1

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
      try handler(.periodic)
      checked = .now
    }
  }

  /// Reports `.anything` whenever the standby has replayed more. Returns when it is promoted.
  private func poll(
    _ session: PostgresSession, _ handler: (ChangeNotice) throws -> Void
  ) throws {
    var known: String?
    var checked = ContinuousClock.now
    while !isEnded.load(ordering: .relaxed) {
      let began = ContinuousClock.now
      guard let position = try session.replayPosition() else { return }
      if position != known { try handler(.anything) }
      known = position
      if ContinuousClock.now - checked > Self.checkInterval {
        try handler(.periodic)
        checked = .now
      }
      // Many strips take long to compare. Then the standby has time for other work.
      let busy = (ContinuousClock.now - began) / .seconds(1)
      Thread.sleep(forTimeInterval: max(Self.pollInterval, 4 * busy))
    }
  }
}
