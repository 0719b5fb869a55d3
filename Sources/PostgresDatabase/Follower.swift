import Catalogue
import Foundation
import SQLCatalogue
import Synchronization

/// A thread that receives notifications of changes, on a connection of its own.
///
/// A lost connection is reopened after longer and longer pauses. Notifications may then be missing, so `.anything` is
/// reported. A statement checks the connection every few seconds. A standby sends no notifications: the thread asks ten
/// times a second what it has replayed.
final class Follower: Sendable {
  enum ServerRole: Sendable { case unknown, primary, standby, unreachable }

  private let isEnded = Atomic(false)
  private let state = Mutex(ServerRole.unknown)
  var role: ServerRole { state.withLock { $0 } }

  /// In seconds.
  private static let firstPause = 0.05
  private static let longestPause = 2.0
  private static let checkInterval = Duration.seconds(5)
  private static let pollInterval = 0.1

  /// - Parameter handler: runs on the thread. If it throws, the connection is reopened.
  init(_ address: ConnectionString, _ handler: @escaping @Sendable (ChangeNotice) throws -> Void) {
    Thread.detachNewThread { [weak self] in
      var pause = Self.firstPause
      while let follower = self, !follower.isEnded.load(ordering: .relaxed) {
        do {
          try follower.follow(PostgresSession(to: address), handler) { pause = Self.firstPause }
        } catch {
          follower.state.withLock { $0 = .unreachable }
          Thread.sleep(forTimeInterval: pause)
          pause = min(2 * pause, Self.longestPause)
        }
      }
    }
  }

  func end() { isEnded.store(true, ordering: .relaxed) }

  /// Reports changes until the end, or until a standby is promoted. `began` runs after the first notice.
  private func follow(
    _ session: PostgresSession, _ handler: (ChangeNotice) throws -> Void, _ began: () -> Void
  ) throws {
    var position = try session.replayPosition()
    let isStandby = position != nil
    if !isStandby { try session.runScript("LISTEN carousel") }
    state.withLock { $0 = isStandby ? .standby : .primary }
    try handler(.anything)
    began()
    var checked = ContinuousClock.now
    while !isEnded.load(ordering: .relaxed) {
      if isStandby {
        let began = ContinuousClock.now
        guard let replayed = try session.replayPosition() else { return }
        if replayed != position { try handler(.anything) }
        position = replayed
        // Many strips take long to compare. The pause gives the standby time for other work.
        let busy = (ContinuousClock.now - began) / .seconds(1)
        Thread.sleep(forTimeInterval: max(Self.pollInterval, 4 * busy))
      } else {
        for text in Set(try session.connection.notifications(within: 200)) {
          try handler(ChangeNotice(text: text))
        }
      }
      guard ContinuousClock.now - checked > Self.checkInterval else { continue }
      try session.runScript("SELECT 1")
      try handler(.periodic)
      checked = .now
    }
  }
}
